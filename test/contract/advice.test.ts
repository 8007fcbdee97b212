import { expect, test } from 'vitest';
import type { ReplyBody } from '../kit/http/http.ts';
import { openServer } from '../kit/server.ts';

/** A refusal says what to do first, in `details` and in the message (rules/errors#27). */

const server = await openServer({ manual: true });
const { api } = server;
const ana = await api.funded('individual', 50_00);
const clockNow = async (): Promise<string> => (await api.get('/portal/api/clock')).now;
const report = (date: string) => api.call('GET', `/v1/reports/reconciliation?date=${date}`, {});
const advance = (to: string) => api.call('POST', '/portal/api/clock/advance', { body: { to } });
const closePeriod = () =>
  api.call('POST', '/v1/sandbox/simulate/statement.available', {
    body: { object_id: ana.accountId },
  });

async function told(reply: Promise<{ status: number; body: ReplyBody }>) {
  const { status, body } = await reply;
  const { code, param, details, message } = body.error;
  return { status, code, param, details, message };
}

// The clock starts on 20 January 2026, 10:00 in New York, and the Tenant begins then.
test.each([
  ['2026-01-19', 'before_first_day', { first_day: '2026-01-20' }, '2026-01-20'],
  [
    '2026-01-20',
    'not_yet_available',
    { available_at: '2026-01-21T11:00:00.000Z' },
    '06:00 Eastern',
  ],
  // The first report of summer time.
  [
    '2026-03-07',
    'not_yet_available',
    { available_at: '2026-03-08T10:00:00.000Z' },
    '06:00 Eastern',
  ],
  [
    '9999-12-30',
    'not_yet_available',
    { available_at: '9999-12-31T11:00:00.000Z' },
    '06:00 Eastern',
  ],
])('a report of %s that is not there says %s', async (date, reason, facts, words) => {
  const refusal = await told(report(date));
  expect(refusal).toMatchObject({ status: 404, code: 'not_found', param: 'date' });
  expect(refusal.details).toEqual({ reason, ...facts });
  expect(refusal.message).toContain(words);
});

test('a statement of an empty period says from when on there is one, and then there is', async () => {
  const refusal = await told(closePeriod());
  expect(refusal).toMatchObject({ status: 409, code: 'invalid_state' });
  const facts = { period_start: '2026-01-20', available_at: '2026-01-21T05:00:00.000Z' };
  expect(refusal.details).toMatchObject({ reason: 'period_empty', ...facts });
  expect(refusal.message).toContain(facts.available_at);
  await api.advance(facts.available_at);
  expect((await closePeriod()).status).toBe(202);
});

test('a clock moved backwards says what it shows, and that it moves forward only', async () => {
  const refusal = await told(advance('2026-01-19T00:00:00Z'));
  expect(refusal).toMatchObject({ status: 400, code: 'parameter_invalid', param: 'to' });
  expect(refusal.details.reason).toBe('past');
  expect(refusal.message).toContain(`${refusal.details.now} and moves forward only`);
  expect(refusal.details.now <= (await clockNow())).toBe(true);
});

test('an approval without complete owners names what comes first, by simulate and the door alike', async () => {
  const { id, onboarding_session } = await api.customer('business');
  const approve = async () => {
    const event = { body: { object_id: id } };
    const simulated = await told(api.call('POST', '/v1/sandbox/simulate/customer.approved', event));
    const door = `/portal/api/review/customers/${id}/approve`;
    const reviewed = await told(api.call('POST', door, { body: {} }));
    expect([reviewed.status, reviewed.details]).toEqual([simulated.status, simulated.details]);
    return simulated;
  };
  const allowed = ['pending', 'in_review'];
  expect((await approve()).details).toEqual({ current_status: 'created', allowed });

  await api.simulate('session.completed', onboarding_session.id);
  const [owner] = (await api.get(`/v1/customers/${id}/owners`)).data;
  const refusal = await approve();
  expect(refusal).toMatchObject({ status: 409, code: 'invalid_state' });
  expect(refusal.details).toEqual({
    current_status: 'pending',
    allowed,
    reason: 'owners_incomplete',
    missing: [{ missing: 'approval', owner_id: owner.id, verification_status: 'pending' }],
  });
  expect(refusal.message).toContain('First approve each owner');
  await api.simulate('owner.approved', refusal.details.missing[0].owner_id);
  await api.simulate('customer.approved', id);
});
