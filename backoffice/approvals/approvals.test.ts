import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { describe, expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { staffActor } from '../../test/kit/staff.ts';
import type { createApproval as Asked } from '../contract/operate/approvals.ts';
import { openCaseCheck } from '../desk/case_holder.ts';
import { openReviewMoves } from '../review/moves.ts';
import { reviewRecord } from '../review/review.ts';
import { approveApproval } from './approve.ts';
import { createApproval } from './create.ts';
import { refuseApproval } from './refuse.ts';

let late = 0;
const { server, api, engine, entries } = await openDisputes({
  config: { approvals: true },
  realNow: () => Date.parse('2026-01-20T15:00:00Z') + late,
});
const { service, tenant } = server;
const moves = openReviewMoves(service);
const cases = openCaseCheck(service);
const create = createApproval(service, moves, cases);
const approve = approveApproval(service, moves, cases);
const refuse = refuseApproval(service, cases);
const ana = await api.funded('individual', 500_00);
const shop = await api.banked('business', 'savings');

const maria = await staffActor(server, 'reviewer');
const otto = await staffActor(server, 'reviewer');
const ada = await staffActor(server, 'admin');
const alan = await staffActor(server, 'admin');

const { tenantId } = tenant;
/** Nothing here is about the row of the audit. */
const act = { act: 'reviewed', record: null, scope: tenantId };
const as = async <I, L, P>(
  actor: Actor,
  command: Command<I, L, P>,
  input: NoInfer<I>,
): Promise<ReplyBody> =>
  JSON.parse((await service.engine.submit(command, { tenantId, actor, act, input })).body);

type Body = BodyOf<typeof Asked>;
const ask = (body: Omit<Body, 'note'>, actor = maria) =>
  as(actor, create, { ...body, note: 'the bank asked' });
const adjusting = (amount: number, id = ana.accountId) =>
  ({ resource: 'accounts', id, move: 'adjust', amount }) as const;
const funding = (amount: number) =>
  ({ resource: 'reserve', id: 'reserve', move: 'fund', amount }) as const;
const available = async () => (await api.balance(ana)).available;
const list = async (search = ''): Promise<ReplyBody[]> =>
  (await api.get(`/portal/api/approvals?limit=100${search}`)).data;
const listed = async ({ id }: ReplyBody) => (await list()).find((one) => one.id === id);
const refused = (reason: string) => ({ code: 'invalid_state', details: { reason } });

/** Every test on a day of its own, since the cap is of a day. */
const nextDay = () => engine.moveClock(86_400);

async function outcomes(...attempts: Promise<unknown>[]) {
  const ended = await Promise.allSettled(attempts);
  return ended.map(({ status }) => status).sort();
}

describe('a move that needs a second person', () => {
  test.each([
    ['accounts', ana.accountId, 'adjust', { amount: 1 }],
    ['reserve', 'reserve', 'fund', { amount: 1 }],
    ['documents', 'privacy_notice', 'publish', newVersion('2026-03')],
  ])('is refused at the door: %s %s %s', async (resource, id, move, body) => {
    const path = `/portal/api/review/${resource}/${id}/${move}`;
    expect(await refusalOf(api.post(path, body))).toMatchObject(refused('approval_required'));
  });

  test('changes nothing until it is approved, and is then made once with both names', async () => {
    const before = await available();
    const made = await api.post('/portal/api/approvals', { ...adjusting(7_00), note: 'goodwill' });
    expect(made).toMatchObject({ status: 'waiting', amount: 7_00, body: { amount: 7_00 } });
    expect(await available()).toBe(before);
    const done = await as(otto, approve, { id: made.id, note: 'seen' });
    expect(done).toMatchObject({ status: 'approved', decided_by: actorName(otto) });
    expect(await available()).toBe(before + 7_00);
    const rows = await engine.query(
      `select r.operator, r.note, a.maker, a.decider from reviews r join approvals a
        on a.tenant_id = r.tenant_id and a.id = r.approval_id
       where r.tenant_id = $1 and r.record_id = $2`,
      ana.accountId,
    );
    expect(rows).toEqual([
      { operator: made.maker, note: 'goodwill', maker: made.maker, decider: actorName(otto) },
    ]);
    expect(await refusalOf(as(alan, approve, { id: made.id }))).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'approved' },
    });
  });

  test('is asked for once under one key', async () => {
    const body = { ...adjusting(1_00), note: 'once' };
    const send = () => server.call('POST', '/portal/api/approvals', { key: 'once', body });
    const [one, two] = [await send(), await send()];
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id]);
  });

  test('is shown with what it would do now, and nothing is done by looking', async () => {
    const before = await available();
    const made = await ask(adjusting(-3_00));
    const effect = {
      postings: [{ from: `${ana.accountId}.available`, to: 'tenant.reserve', amount: 3_00 }],
      changes: [],
    };
    expect(made.effect).toEqual(effect);
    expect(await listed(made)).toMatchObject({ effect, changed: false, obstacle: null });
    expect(await available()).toBe(before);
  });

  test('that is not possible cannot be asked for', async () => {
    expect(await refusalOf(ask(adjusting(-9_000_00)))).toMatchObject({
      code: 'insufficient_funds',
    });
    const hold = { resource: 'accounts', id: ana.accountId, move: 'release_hold' };
    expect(await refusalOf(ask(hold))).toMatchObject(refused('no_hold'));
  });

  test('is no other move', async () => {
    const suspend = { resource: 'accounts', id: ana.accountId, move: 'suspend' };
    expect(await refusalOf(ask(suspend))).toMatchObject(refused('approval_not_required'));
  });
});

describe('maker and approver are two people', () => {
  test.each([
    ['the maker', maria],
    ['an API key of the maker', { ...maria, kind: 'api_key', id: 'key_1' } as const],
    ['the maker with another role', { ...maria, roles: ['admin'] } as const],
  ])('%s cannot approve', async (_, actor) => {
    const made = await ask(funding(1_00));
    expect(await refusalOf(as(actor, approve, { id: made.id }))).toMatchObject({
      code: 'forbidden',
      details: { reason: 'own_request' },
    });
    expect(await listed(made)).toMatchObject({ status: 'waiting' });
  });

  test("a request by an API key is not approved by the key's person, or the same client", async () => {
    const key = { ...maria, kind: 'api_key', id: 'key_1' } as const;
    const byKey = await ask(funding(1_00), key);
    const own = { details: { reason: 'own_request' } };
    expect(await refusalOf(as(maria, approve, { id: byKey.id }))).toMatchObject(own);
    const byClient = await api.post('/portal/api/approvals', { ...funding(1_00), note: 'x' });
    const again = api.post(`/portal/api/approvals/${byClient.id}/approve`);
    expect(await refusalOf(again)).toMatchObject(own);
  });

  test('documents are published by two admins', async () => {
    const body = { resource: 'documents', id: 'privacy_notice', move: 'publish' };
    const publishing = { ...body, ...newVersion('2026-04') };
    const forbidden = { code: 'forbidden', details: { roles: ['admin'] } };
    expect(await refusalOf(ask(publishing))).toMatchObject(forbidden);
    const alone = as(maria, reviewRecord(moves, cases), { ...publishing, note: null });
    expect(await refusalOf(alone)).toMatchObject(forbidden);
    const made = await ask(publishing, ada);
    expect(await refusalOf(as(otto, approve, { id: made.id }))).toMatchObject(forbidden);
    expect(await as(alan, approve, { id: made.id })).toMatchObject({ status: 'approved' });
  });
});

describe('at once', () => {
  test('two approvers make the move once', async () => {
    await nextDay();
    const before = await available();
    const { id } = await ask(adjusting(5_00));
    const both = [otto, ada].map((actor) => as(actor, approve, { id }));
    expect(await outcomes(...both)).toEqual(['fulfilled', 'rejected']);
    expect(await available()).toBe(before + 5_00);
  });

  test('of approval and refusal one holds, and the money follows it', async () => {
    for (const order of [0, 1, 2, 3]) {
      const before = await available();
      const made = await ask(adjusting(2_00));
      const { id } = made;
      const both = [() => as(otto, approve, { id }), () => as(ada, refuse, { id })];
      const started = (order % 2 ? both.reverse() : both).map((start) => start());
      expect(await outcomes(...started)).toEqual(['fulfilled', 'rejected']);
      const { status } = await listed(made);
      expect(await available()).toBe(before + (status === 'approved' ? 2_00 : 0));
    }
  });

  test('two approvals below the cap do not pass it together', async () => {
    await nextDay();
    const made = await Promise.all([ask(funding(6_000_00)), ask(funding(6_000_00))]);
    const both = made.map(({ id }) => as(otto, approve, { id }));
    expect(await outcomes(...both)).toEqual(['fulfilled', 'rejected']);
  });
});

test('a refused request is never made; its maker may take it back', async () => {
  for (const actor of [otto, maria]) {
    const { id } = await ask(funding(1_00));
    expect(await as(actor, refuse, { id, note: 'no' })).toMatchObject({
      status: 'refused',
      decision_note: 'no',
    });
    expect(await refusalOf(as(ada, approve, { id }))).toMatchObject({
      details: { current_status: 'refused' },
    });
  }
});

test('a request lapses after seven days of real time', async () => {
  const made = await ask(funding(1_00));
  late += 7 * 86_400_000 - 1;
  expect(await listed(made)).toMatchObject({ status: 'waiting' });
  late += 1;
  expect(await listed(made)).toMatchObject({ status: 'lapsed' });
  expect(await refusalOf(as(otto, approve, made))).toMatchObject(refused('lapsed'));
  expect(await refusalOf(as(otto, refuse, made))).toMatchObject(refused('lapsed'));
  const statuses = async (status: string) =>
    new Set((await list(`&status=${status}`)).map((one) => one.status));
  expect(await statuses('lapsed')).toEqual(new Set(['lapsed']));
  expect(await statuses('waiting')).toEqual(new Set());
  expect(await statuses('approved')).toEqual(new Set(['approved']));
});

describe('what has changed since the request', () => {
  test('refuses the approval, and the list says so', async () => {
    const ben = await api.approved('individual');
    const made = await ask(adjusting(4_00, ben.accountId));
    await api.simulate('account.suspended', ben.accountId);
    expect(await listed(made)).toMatchObject({ status: 'waiting', changed: true });
    expect(await refusalOf(as(otto, approve, { id: made.id }))).toMatchObject(
      refused('changed_since'),
    );
    expect(await api.balance(ben)).toMatchObject({ available: 0 });
  });

  test('is not the balance that it leaves, while it suffices', async () => {
    const made = await ask(adjusting(-10_00));
    await as(ada, approve, { id: (await ask(adjusting(1_00))).id });
    expect(await as(otto, approve, { id: made.id })).toMatchObject({ status: 'approved' });
  });

  test('may stand in its way: the list names the refusal', async () => {
    const ben = await api.approved('individual');
    const made = await ask(adjusting(4_00, ben.accountId));
    await api.close(ben);
    await api.simulate('account.closed', ben.accountId);
    expect(await listed(made)).toMatchObject({
      effect: null,
      changed: true,
      obstacle: { code: 'invalid_state' },
    });
  });
});

test('above the cap of the day two admins approve, neither of them the maker', async () => {
  await nextDay();
  await as(otto, approve, { id: (await ask(funding(9_999_99))).id });
  const exact = await ask(funding(1));
  expect(await as(otto, approve, { id: exact.id })).toMatchObject({ status: 'approved' });
  const { id } = await ask(adjusting(50_00));
  const before = await available();
  expect(await refusalOf(as(otto, approve, { id }))).toMatchObject({
    code: 'forbidden',
    details: { roles: ['admin'] },
  });
  expect(await as(ada, approve, { id })).toMatchObject({
    status: 'waiting',
    first_approver: actorName(ada),
  });
  expect(await available()).toBe(before);
  expect(await refusalOf(as(ada, approve, { id }))).toMatchObject({
    details: { reason: 'second_admin' },
  });
  expect(await as(alan, approve, { id })).toMatchObject({ status: 'approved' });
  expect(await available()).toBe(before + 50_00);
  await nextDay();
  expect(await as(otto, approve, { id: (await ask(funding(1_00))).id })).toMatchObject({
    status: 'approved',
  });
});

describe('a dispute decided against the customer', () => {
  const resolve = ({ id }: ReplyBody, move: string, body: object = {}) =>
    as(maria, reviewRecord(moves, cases), {
      resource: 'disputes',
      id,
      move,
      note: null,
      ...body,
    });
  async function disputed(amount: number): Promise<ReplyBody> {
    const rich = await api.funded('individual', amount);
    const payment = await api.confirmed(api.pay(rich, shop, amount));
    return api.dispute(rich, { payment_id: payment.id });
  }

  test('needs a second person above $2,500 that are refused', async () => {
    const big = await disputed(2_500_01);
    const finding = 'It was hers';
    for (const [move, body] of [
      ['resolve_denied', { finding }],
      ['resolve_withdrawn', {}],
    ] as const)
      expect(await refusalOf(resolve(big, move, body))).toMatchObject(refused('approval_required'));
    const { id } = await ask({ resource: 'disputes', id: big.id, move: 'resolve_denied', finding });
    await as(otto, approve, { id });
    expect(await entries(big)).toEqual([
      'dispute_held available -250001',
      'dispute_held earmarked 250001',
      'dispute_released earmarked -250001',
      'dispute_released available 250001',
    ]);
  });

  test('does not below, where the award needs none', async () => {
    expect(
      await resolve(await disputed(2_500_00), 'resolve_denied', { finding: 'It was hers' }),
    ).toMatchObject({
      outcome: 'denied',
    });
    const partly = await disputed(3_000_00);
    expect(
      await resolve(partly, 'resolve_partial', { amount: 500_00, finding: 'A part' }),
    ).toMatchObject({
      outcome: 'partially_approved',
    });
    expect(await resolve(await disputed(500_00), 'resolve_approved')).toMatchObject({
      outcome: 'approved',
    });
  });

  test('needs one where nobody knows the amount', async () => {
    const unnamed = await api.dispute(ana, {});
    expect(
      await refusalOf(resolve(unnamed, 'resolve_denied', { finding: 'It was hers' })),
    ).toMatchObject(refused('approval_required'));
  });
});

test("another Tenant's requests are not found", async () => {
  const { id } = await ask(funding(1_00));
  const { token } = await server.anotherTenant();
  for (const move of ['approve', 'refuse']) {
    const path = `/portal/api/approvals/${id}/${move}`;
    expect((await server.call('POST', path, { token })).status).toBe(404);
  }
});
