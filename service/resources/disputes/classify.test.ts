import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';

/** A reviewer handles a notice as what it is. The clock starts on 20 January 2026, 10:00 in New York. */
let lines: string[] = [];
const { api, balances, caseOf, engine, server, shown } = await openDisputes({
  onLog: (line) => lines.push(line),
});
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  lines = [];
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

const review = ({ id }: ReplyBody, move: string, body: object = {}): Promise<ReplyBody> =>
  api.post(`/portal/api/review/disputes/${id}/${move}`, body);
const classified = (made: ReplyBody, handled_as: string) =>
  review(made, 'classify', { handled_as, note: 'by the words' });
const eventsOf = async ({ id }: ReplyBody) =>
  (
    await engine.query<{ type: string }>(
      'select type from events where tenant_id = $1 and object_id = $2 order by version',
      uuid('dispute', id),
    )
  ).map(({ type }) => type);
const alarmsOf = ({ id }: ReplyBody) =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ dispute_id, alarm }) => alarm && dispute_id === uuid('dispute', id))
    .map(({ alarm }) => alarm);

async function disputed(what: object = {}): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  return api.dispute(ana, { payment_id: payment.id, ...what });
}

describe('a purchase dispute that is an unauthorized transfer', () => {
  test('gets its deadlines anew from day 0, its bearer and its fees, and the Tenant is told', async () => {
    const fee: FeeRule = {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points: 0,
      fixed: 3_00,
      paid_by: 'payer',
    };
    await engine.change({ fees: [fee] });
    const made = await disputed({ type: 'purchase_dispute' });
    await engine.change({ fees: [] });
    expect(made).toMatchObject({ regulation_e: false });
    expect(made).not.toHaveProperty('handled_as');
    const seen = await classified(made, 'unauthorized_transfer');
    expect(seen).toMatchObject({
      type: 'purchase_dispute',
      handled_as: 'unauthorized_transfer',
      regulation_e: true,
      version: 2,
    });
    expect(await eventsOf(made)).toEqual(['dispute.created', 'dispute.updated']);
    expect(await caseOf(made)).toMatchObject({
      disputed_amount: 53_00,
      earmarked_amount: 50_00,
      liability: 'platform',
      deadlines: {
        provisional_credit: '2026-02-18T14:00:00.000Z',
        result: '2026-03-07T05:00:00.000Z',
      },
    });
    await api.played(made, 'dispute.investigating', 'dispute.resolved_approved');
    expect(await balances(ana)).toMatchObject([{ available: 500_00 }]);
  });

  test('is credited at once where the deadline has passed', async () => {
    const made = await disputed({
      type: 'purchase_dispute',
      notice_received_at: '2025-12-01T15:00:00Z',
    });
    await classified(made, 'unauthorized_transfer');
    await server.runJobs();
    expect(await shown(made)).toMatchObject({ status: 'provisional_credit' });
    expect(alarmsOf(made)).toContain('dispute_result');
  });

  test('and back again: no deadline is left, and the fee is not in dispute', async () => {
    const made = await disputed({ type: 'purchase_dispute' });
    await api.played(made, 'dispute.classified');
    expect(await shown(made)).toMatchObject({ regulation_e: true });
    await api.played(made, 'dispute.classified');
    expect(await shown(made)).toMatchObject({
      regulation_e: false,
      handled_as: 'purchase_dispute',
    });
    expect(await caseOf(made)).toMatchObject({
      disputed_amount: 50_00,
      liability: 'merchant',
      deadlines: { provisional_credit: null, result: null },
    });
  });
});

test('what a notice is handled as already, a linked notice and one that is resolved are refused', async () => {
  const made = await disputed();
  const linked = await api.dispute(ana, { payment_id: made.payment_id });
  expect(await refusalOf(classified(made, 'unauthorized_transfer'))).toMatchObject({
    code: 'parameter_invalid',
    param: 'handled_as',
    details: { reason: 'already_so' },
  });
  expect(await refusalOf(classified(linked, 'error'))).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'linked' },
  });
  await api.played(made, 'dispute.resolved_withdrawn');
  expect(await refusalOf(classified(made, 'error'))).toMatchObject({ code: 'invalid_state' });
});

test('the reason for it is asked for and kept', async () => {
  const made = await disputed();
  const body = { handled_as: 'error' };
  expect(await refusalOf(review(made, 'classify', body))).toMatchObject({
    code: 'parameter_missing',
    param: 'note',
  });
  await review(made, 'classify', { ...body, note: 'the shop charged twice' });
  const [row] = await engine.query<{ note: string }>(
    "select note from reviews where tenant_id = $1 and record_id = $2 and move = 'classify'",
    made.id,
  );
  expect(row?.note).toBe('the shop charged twice');
});

test('an alarm is raised where the words contradict the type, and not where they do not', async () => {
  const words = async (type: string, description: string, person = ana) => {
    const made = await api.dispute(person, { type, description });
    await server.runJobs();
    return [alarmsOf(made), (await caseOf(made)).suggested_type];
  };
  const alarm = ['dispute_words'];
  for (const text of ['I never authorized this!', 'Someone stole my phone', 'No fui yo', 'Fraude'])
    expect(await words('purchase_dispute', text)).toEqual([alarm, 'unauthorized_transfer']);
  expect(await words('purchase_dispute', 'I was charged twice')).toEqual([alarm, 'error']);
  expect(await words('error', 'This was not me')).toEqual([alarm, 'unauthorized_transfer']);
  for (const text of ['The cake never came', 'It was stale, and cold', 'I want my money back'])
    expect(await words('purchase_dispute', text)).toEqual([[], null]);
  expect(await words('unauthorized_transfer', 'I was charged twice')).toEqual([[], null]);
  // A business has no such rights.
  expect((await words('purchase_dispute', 'It was not me', cafe))[0]).toEqual([]);
});
