import { afterAll, expect, test } from 'vitest';
import { openApprovals } from '../../../test/kit/approvals.ts';
import { customerInReview, newDispute } from '../../../test/kit/desk.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver } from '../../../test/kit/http/receiver.ts';
import { type PortalPerson, portalPerson } from '../../../test/kit/people.ts';

/** The counts of what needs a person, the same for every page (rules/operations#94). */

const { server, admins, openCase } = await openApprovals();
const [maria, otto] = admins;
const receiver = await startTestReceiver();
afterAll(() => receiver.close());
const daySeconds = 86_400;

const asked = async (by: PortalPerson, path = '/platform-attention'): Promise<ReplyBody[]> => {
  const { status, body } = await by.ask('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
};
const counts = (items: readonly ReplyBody[]): Record<string, number> =>
  Object.fromEntries(items.map(({ kind, count }) => [kind, count]));
const named = (items: readonly ReplyBody[], kind: string) =>
  items.find((item) => item.kind === kind);

const one = await openCase();
const { tenantId } = one.tenant;
const api = server.apiOf(one.tenant);

test('a Tenant without trouble has nothing that needs anybody', async () => {
  const owner = await portalPerson(server, tenantId, ['owner']);
  expect(await asked(owner, '/attention')).toEqual([]);
});

test('an endpoint that did not accept its last three attempts is failing, until it accepts one', async () => {
  const developer = await portalPerson(server, tenantId, ['developer']);
  const reader = await portalPerson(server, tenantId, ['reader']);
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url });
  receiver.answer(500);
  const send = () => api.post('/portal/api/webhook-endpoint/test', {});
  for (let count = 0; count < 2; count += 1) await send();
  expect(counts(await asked(developer, '/attention'))).toEqual({});
  await send();
  expect(named(await asked(developer, '/attention'), 'endpoints_failing')).toMatchObject({
    count: 1,
    is_more: false,
    is_trouble: true,
    first: [{ id: null, name: null }],
  });
  // A person who may not open webhooks is told nothing of them.
  expect(await asked(reader, '/attention')).toEqual([]);
  receiver.answer(200);
  await send();
  expect(await asked(developer, '/attention')).toEqual([]);
});

test('a dispute is due within a week and then late, for the Tenant and for the platform alike', async () => {
  const reader = await portalPerson(server, tenantId, ['reader']);
  const id = await newDispute(one);
  await customerInReview(one);
  const { deadlines } = (await api.get('/portal/api/disputes')).data[0];
  const [first = ''] = Object.values<string | null>(deadlines)
    .flatMap((at) => at ?? [])
    .sort();
  await api.advance(new Date(Date.parse(first) - 3 * daySeconds * 1_000).toISOString());
  expect(named(await asked(reader, '/attention'), 'disputes_due')).toMatchObject({
    count: 1,
    first: [{ id, name: null, at: first }],
  });
  const before = counts(await asked(maria)).disputes_late ?? 0;
  await one.engine.moveClock(4 * daySeconds);
  const found = counts(await asked(reader, '/attention'));
  expect(found).toMatchObject({ disputes_late: 1 });
  expect(counts(await asked(maria)).disputes_late).toBe(before + 1);
});

test('a request waits for the other admins, and not for who made it', async () => {
  const waiting = async (by: PortalPerson) => counts(await asked(by)).approvals ?? 0;
  const before = [await waiting(maria), await waiting(otto)];
  const act = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5_00, note: 'more' };
  expect((await one.send(maria, 'POST', '/approvals', act)).status).toBe(201);
  expect([await waiting(maria), await waiting(otto)]).toEqual([before[0], (before[1] ?? 0) + 1]);
});

test('support is told of nothing that it may not open', async () => {
  const support = await portalPerson(server, 'platform', ['support']);
  const kinds = Object.keys(counts(await asked(support)));
  for (const kind of ['cases', 'cases_late', 'approvals', 'requests'])
    expect(kinds).not.toContain(kind);
  expect(kinds).toContain('disputes_late');
  expect((await support.ask('GET', '/desk-summary')).status).toBe(403);
});

test('the summary of the desk has each kind that waits with its age, and a week of days', async () => {
  const { status, body } = await maria.ask('GET', '/desk-summary');
  expect(status).toBe(200);
  const kinds = Object.fromEntries(body.kinds.map((kind: ReplyBody) => [kind.resource, kind]));
  expect(kinds.customers).toMatchObject({ is_more: false, late: 0 });
  expect(kinds.disputes.late).toBeGreaterThan(0);
  expect(kinds.disputes.oldest_seconds).toBeGreaterThan(daySeconds);
  expect(body.due).toHaveLength(7);
  const { cases, cases_late = 0 } = counts(await asked(maria));
  const sum = (field: string, without: string) =>
    body.kinds
      .filter(({ resource }: ReplyBody) => resource !== without)
      .reduce((total: number, kind: ReplyBody) => total + kind[field], 0);
  expect(cases).toBe(sum('waiting', 'approvals'));
  expect(cases_late).toBe(sum('late', 'disputes'));
});
