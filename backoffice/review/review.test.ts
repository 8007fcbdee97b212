import { randomUUID } from 'node:crypto';
import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import { describe, expect, test } from 'vitest';
import { executedAfterFailing } from '../../test/kit/desk.ts';
import { onboard } from '../../test/kit/engine.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { writtenInVain } from '../../test/kit/messages/bounced_letter.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { keepInVault } from '../../test/kit/vault.ts';
import { reviewMoves } from '../contract/operate/review.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
const ana = await api.banked('individual');
const shop = await api.banked('business', 'savings');
const cafe = await api.approved('business');
await api.fund(ana, 500_00);

const review = (resource: string, id: string, move: string, body: object = {}) =>
  api.post(`/portal/api/review/${resource}/${id}/${move}`, body);

const reviewsOf = (id: string) =>
  engine.query(
    `select resource, move, operator, note, amount, failure_code from reviews
     where tenant_id = $1 and record_id = $2 order by id`,
    id,
  );
const entriesOf = (source: string) =>
  engine.query(
    `select step, pocket, delta, transaction_type from entries
     where tenant_id = $1 and source_id = $2 order by id`,
    source,
  );

/** A customer who has applied. */
async function applied(type: 'individual' | 'business'): Promise<string> {
  const { id } = await api.customer(type);
  await engine.run(onboard, { id: uuid('customer', id) });
  return id;
}
async function inReview(): Promise<string> {
  const id = await applied('individual');
  await api.simulate('customer.in_review', id);
  return id;
}
async function owner(): Promise<string> {
  const { data } = await api.get(`/v1/customers/${await applied('business')}/owners`);
  return data[0].id;
}
async function decidedOwner(): Promise<string> {
  const id = await owner();
  await api.simulate('owner.approved', id);
  return id;
}
const newPerson = (bank?: string) =>
  bank ? api.banked('individual', bank) : api.approved('individual');
const approved = async () => (await newPerson()).customerId;
async function keptCustomer(): Promise<string> {
  const id = await inReview();
  await keepInVault(server.service, { tenantId, id });
  return id;
}
async function keptOwner(): Promise<string> {
  const id = await owner();
  await keepInVault(server.service, {
    tenantId,
    id,
    customerId: (await api.customer('business')).id,
  });
  return id;
}
async function resetClosed(): Promise<string> {
  const id = await approved();
  await engine.query(
    `update pins set reset_failures = 10, revision = revision + 1
     where tenant_id = $1 and customer_id = $2`,
    uuid('customer', id),
  );
  return id;
}
async function withPasskey(): Promise<string> {
  const id = await approved();
  await engine.query(
    `insert into passkeys (tenant_id, id, customer_id, credential_id, public_key, counter,
        transports, aaguid, created_at)
      values ($1, gen_random_uuid(), $2, gen_random_uuid()::text, 'key', 0, 'internal', '', now())`,
    uuid('customer', id),
  );
  return id;
}
async function pendingLink(): Promise<string> {
  const link = await api.post(`/v1/customers/${await approved()}/linked-accounts`, {
    public_token: 'public-sandbox-review',
  });
  return link.id;
}
async function heldLink(): Promise<string> {
  const id = await pendingLink();
  await api.simulate('linked_account.held_for_review', id);
  return id;
}
const freeLink = async () => (await newPerson('standard')).linkedAccountId ?? '';
/** A second link, from which withdrawals wait for three days. */
async function waitingLink(): Promise<string> {
  const person = await newPerson('standard');
  const { customerId, linkedAccountId } = person;
  await server.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`);
  return api.link(person, 'savings');
}
const account = async () => (await newPerson()).accountId;
async function accountThat(event: string): Promise<string> {
  const id = await account();
  await api.simulate(event, id);
  return id;
}
async function closedAccount(): Promise<string> {
  const person = await newPerson();
  await api.close(person);
  await api.simulate('account.closed', person.accountId);
  return person.accountId;
}
async function accountOnHold(): Promise<string> {
  const id = await account();
  await review('accounts', id, 'place_hold');
  return id;
}

/** A failed load of ana's that was paid late. @returns the money in suspense */
async function lateMoney(amount = 12_00): Promise<{ id: string; load: string }> {
  const load = await api.confirmed(api.load(ana, amount));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  const [item] = await engine.query(
    'select id from suspense where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  return { id: publicId('adjustment', item.id), load: load.id };
}
const late = async () => (await lateMoney()).id;
async function lateThatIs(move: string): Promise<string> {
  const id = await late();
  await review('suspense', id, move);
  return id;
}

/** A load that the bank paid and then reported as failed. */
async function message(): Promise<string> {
  const load = await api.confirmed(api.load(ana, 3_00));
  await api.simulate('load.settled', load.id);
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  const { service } = server;
  const log = Object.assign(Object.create(service.log), { error: () => {} });
  const fact = { id: randomUUID(), orderId: order.id, outcome: 'failed', reason: 'AC04' } as const;
  await openInbound({ engine: service.engine, log, asks: false }).bank(tenantId, fact);
  const [kept] = await engine.query(
    'select id from bank_messages where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  return publicId('bank_message', kept.id);
}
/** A link whose customer has told the bank that they take no requests. */
async function optedOutLink(): Promise<string> {
  const person = await api.banked('individual');
  const made = await api.confirmed(api.load(person, 3_00));
  await api.simulate('load.failed', made.id, 'customer_opted_out');
  return String(person.linkedAccountId);
}
/** A load of $12.00 whose bank asks for the money back. */
async function askedBack(): Promise<string> {
  const loading = api.confirmed(api.load(ana, 12_00));
  const { id } = await api.played(loading, 'load.settled', 'bank.return_requested');
  const [kept] = await engine.query(
    'select id from return_requests where tenant_id = $1 and source_id = $2',
    uuid('load', id),
  );
  return publicId('return_request', kept.id);
}
async function closedMessage(): Promise<string> {
  const id = await message();
  await review('bank-messages', id, 'close');
  return id;
}
/** A notice of ana's about a payment of $10.00, after these moves. */
async function notice(...done: string[]): Promise<string> {
  const payment = await api.confirmed(api.pay(ana, cafe, 10_00));
  const { id } = await api.post('/v1/disputes', {
    customer_id: ana.customerId,
    type: 'unauthorized_transfer',
    description: 'It was not me',
    payment_id: payment.id,
    notice_received_at: '2026-01-20T15:00:00.000Z',
  });
  for (const move of done)
    await review('disputes', id, move, move === 'resolve_denied' ? { finding: 'It was hers' } : {});
  return id;
}
/** The letter of a dispute that bounced. */
async function letterInVain(): Promise<string> {
  const { id } = await writtenInVain(api);
  const [row] = await engine.query<{ id: string }>(
    'select id from notices where tenant_id = $1 and source_id = $2',
    uuid('dispute', id),
  );
  return publicId('notice', row?.id ?? '');
}
const newNotice = () => notice();
const investigated = () => notice('investigate');
const denied = () => notice('investigate', 'resolve_denied');
/** The same, filed again after its denial. */
async function noticeAgain(): Promise<string> {
  const { payment_id } = await api.get(`/v1/disputes/${await denied()}`);
  return (await api.dispute(ana, { payment_id })).id;
}
const fixed = (id: string) => async () => id;

interface Case {
  readonly resource: keyof typeof reviewMoves;
  readonly move: string;
  /** A record with a status from which the move is possible. */
  readonly from: () => Promise<string>;
  readonly body?: object;
  readonly shows: object;
}
const status = (verification: string) => ({ verification: { status: verification } });

const moves: readonly Case[] = [
  { resource: 'customers', move: 'approve', from: inReview, shows: status('approved') },
  {
    resource: 'customers',
    move: 'approve',
    from: () => applied('individual'),
    shows: status('approved'),
  },
  { resource: 'customers', move: 'reject', from: inReview, shows: status('rejected') },
  { resource: 'customers', move: 'request_more', from: inReview, shows: status('pending') },
  { resource: 'customers', move: 'review', from: approved, shows: status('in_review') },
  {
    resource: 'customers',
    move: 'allow_pin_reset',
    from: resetClosed,
    shows: { pin_locked: false },
  },
  {
    resource: 'customers',
    move: 'remove_passkeys',
    from: withPasskey,
    shows: { pin_locked: false },
  },
  {
    resource: 'customers',
    move: 'withdraw_electronic',
    from: approved,
    shows: status('approved'),
  },
  {
    resource: 'customers',
    move: 'restore_electronic',
    from: approved,
    shows: status('approved'),
  },
  { resource: 'customers', move: 'open_identity', from: keptCustomer, shows: status('in_review') },
  {
    resource: 'owners',
    move: 'open_identity',
    from: keptOwner,
    shows: { verification_status: 'pending' },
  },
  { resource: 'owners', move: 'approve', from: owner, shows: { verification_status: 'approved' } },
  { resource: 'owners', move: 'reject', from: owner, shows: { verification_status: 'rejected' } },
  { resource: 'linked-accounts', move: 'verify', from: heldLink, shows: { status: 'verified' } },
  {
    resource: 'linked-accounts',
    move: 'reject',
    from: heldLink,
    shows: { status: 'failed', failure_code: 'review_rejected' },
  },
  {
    resource: 'linked-accounts',
    move: 'reject',
    from: pendingLink,
    shows: { status: 'failed', failure_code: 'review_rejected' },
  },
  {
    resource: 'linked-accounts',
    move: 'reject',
    from: heldLink,
    body: { failure_code: 'owner_mismatch' },
    shows: { status: 'failed', failure_code: 'owner_mismatch' },
  },
  {
    resource: 'linked-accounts',
    move: 'release_hold',
    from: waitingLink,
    shows: { status: 'verified', withdrawal_hold_until: null },
  },
  {
    resource: 'linked-accounts',
    move: 'lift_opt_out',
    from: optedOutLink,
    shows: {
      status: 'verified',
      capabilities: { withdrawal: true, load: true, pay_by_bank: true },
    },
  },
  { resource: 'accounts', move: 'suspend', from: account, shows: { status: 'suspended' } },
  {
    resource: 'accounts',
    move: 'reactivate',
    from: () => accountThat('account.suspended'),
    shows: { status: 'active' },
  },
  {
    resource: 'accounts',
    move: 'reactivate',
    from: () => accountThat('account.dormant'),
    shows: { status: 'active' },
  },
  {
    resource: 'accounts',
    move: 'place_hold',
    from: account,
    shows: { status: 'active', version: 1 },
  },
  {
    resource: 'accounts',
    move: 'release_hold',
    from: accountOnHold,
    shows: { status: 'active', version: 1 },
  },
  {
    resource: 'accounts',
    move: 'adjust',
    from: account,
    body: { amount: 1 },
    shows: { status: 'active', version: 1 },
  },
  {
    resource: 'disputes',
    move: 'investigate',
    from: newNotice,
    shows: { status: 'investigating' },
  },
  {
    resource: 'disputes',
    move: 'credit',
    from: investigated,
    shows: { status: 'provisional_credit', provisional_credit_amount: 10_00 },
  },
  {
    resource: 'disputes',
    move: 'resolve_approved',
    from: newNotice,
    shows: { status: 'closed', outcome: 'approved' },
  },
  {
    resource: 'disputes',
    move: 'resolve_partial',
    from: investigated,
    body: { amount: 4_00, finding: 'A part of it' },
    shows: { status: 'closed', outcome: 'partially_approved' },
  },
  {
    resource: 'disputes',
    move: 'resolve_denied',
    from: () => notice('investigate', 'credit'),
    body: { finding: 'It was hers' },
    shows: { status: 'resolved', outcome: 'denied' },
  },
  {
    resource: 'disputes',
    move: 'reopen',
    from: noticeAgain,
    shows: { status: 'investigating', reasserted: false },
  },
  {
    resource: 'disputes',
    move: 'classify',
    from: newNotice,
    body: { handled_as: 'error' },
    shows: { status: 'received', handled_as: 'error', version: 2 },
  },
  {
    resource: 'disputes',
    move: 'extenuating',
    from: newNotice,
    shows: { status: 'received', version: 1 },
  },
  {
    resource: 'disputes',
    move: 'give_papers',
    from: denied,
    shows: { status: 'closed', outcome: 'denied' },
  },
  {
    resource: 'disputes',
    move: 'resolve_withdrawn',
    from: newNotice,
    shows: { status: 'closed', outcome: 'withdrawn' },
  },
  {
    resource: 'disputes',
    move: 'liability_merchant',
    from: newNotice,
    shows: { status: 'received', version: 1 },
  },
  {
    resource: 'disputes',
    move: 'liability_platform',
    from: investigated,
    shows: { status: 'investigating' },
  },
  { resource: 'suspense', move: 'match', from: late, shows: { status: 'matched', amount: 12_00 } },
  { resource: 'suspense', move: 'return', from: late, shows: { status: 'returned' } },
  { resource: 'bank-messages', move: 'close', from: message, shows: { status: 'closed' } },
  {
    resource: 'bank-messages',
    move: 'book',
    from: () => executedAfterFailing(server, { api, engine }),
    shows: { status: 'closed', outcome: 'settled' },
  },
  {
    resource: 'return-requests',
    move: 'accept',
    from: askedBack,
    body: { amount: 2_00 },
    shows: { status: 'accepted', accepted_amount: 2_00 },
  },
  {
    resource: 'return-requests',
    move: 'refuse',
    from: askedBack,
    body: { finding: 'it is spent' },
    shows: { status: 'refused', answer_text: 'it is spent' },
  },
  {
    resource: 'notices',
    move: 'give',
    from: letterInVain,
    body: { finding: 'by post' },
    shows: { status: 'done', done_note: 'by post' },
  },
  {
    resource: 'documents',
    move: 'publish',
    from: fixed('cip_notice'),
    body: newVersion('2026-02'),
    shows: { object: 'document_publication', document_type: 'cip_notice', version: '2026-02' },
  },
  {
    resource: 'reserve',
    move: 'fund',
    from: fixed('reserve'),
    body: { amount: 7_00 },
    shows: { object: 'reserve_funding', amount: 7_00, currency: 'USD' },
  },
];

describe('every move of a reviewer', () => {
  test.each(moves)('$resource $move is made, and kept with its note', async (row) => {
    const { resource, move, from, body, shows } = row;
    const id = await from();
    const before = (await reviewsOf(id)).length;
    expect(await review(resource, id, move, { ...body, note: 'seen by hand' })).toMatchObject(
      shows,
    );
    const kept = await reviewsOf(id);
    expect(kept).toHaveLength(before + 1);
    expect(kept.at(-1)).toEqual({
      resource,
      move,
      operator: `client ${server.tenant.client_id}`,
      note: 'seen by hand',
      amount: null,
      failure_code: null,
      // A record keeps its own texts, and as what it is handled.
      ...Object.fromEntries(
        Object.entries(body ?? {}).filter(([name]) => ['amount', 'failure_code'].includes(name)),
      ),
    });
  });

  test('is tried above', () => {
    const names = Object.entries(reviewMoves).flatMap(([resource, of]) =>
      of.map((move) => `${resource} ${move}`),
    );
    const tried = new Set(moves.map(({ resource, move }) => `${resource} ${move}`));
    // Years after a closing: review_erasure.test.ts.
    tried.add('customers erase');
    expect([...tried].sort()).toEqual(names.sort());
  });
});

/** Records with a status from which the move is not possible. */
const wrong: readonly (readonly [keyof typeof reviewMoves, string, () => Promise<string>])[] = [
  ['customers', 'approve', approved],
  ['customers', 'approve', async () => (await api.customer('individual')).id],
  ['customers', 'approve', () => applied('business')],
  ['customers', 'reject', approved],
  ['customers', 'request_more', () => applied('individual')],
  ['customers', 'review', () => applied('individual')],
  ['customers', 'review', inReview],
  ['customers', 'erase', approved],
  ['customers', 'erase', inReview],
  ['customers', 'allow_pin_reset', approved],
  ['customers', 'remove_passkeys', approved],
  ['customers', 'open_identity', approved],
  ['owners', 'open_identity', decidedOwner],
  ['owners', 'approve', decidedOwner],
  ['owners', 'reject', decidedOwner],
  ['linked-accounts', 'verify', pendingLink],
  ['linked-accounts', 'verify', freeLink],
  ['linked-accounts', 'reject', freeLink],
  ['linked-accounts', 'release_hold', freeLink],
  ['linked-accounts', 'release_hold', heldLink],
  ['accounts', 'suspend', () => accountThat('account.suspended')],
  ['accounts', 'suspend', closedAccount],
  ['accounts', 'reactivate', account],
  ['accounts', 'reactivate', closedAccount],
  ['accounts', 'place_hold', accountOnHold],
  ['accounts', 'release_hold', account],
  ['disputes', 'investigate', investigated],
  ['disputes', 'credit', newNotice],
  ['disputes', 'credit', () => notice('investigate', 'credit')],
  ...(['resolve_approved', 'resolve_denied', 'resolve_withdrawn'] as const).map(
    (move) => ['disputes', move, denied] as const,
  ),
  ['disputes', 'liability_merchant', denied],
  ['disputes', 'liability_platform', denied],
  ['disputes', 'reopen', newNotice],
  ['disputes', 'classify', denied],
  ['disputes', 'extenuating', denied],
  ['disputes', 'give_papers', newNotice],
  ['suspense', 'match', () => lateThatIs('match')],
  ['suspense', 'match', () => lateThatIs('return')],
  ['suspense', 'return', () => lateThatIs('match')],
  ['suspense', 'return', () => lateThatIs('return')],
  ['bank-messages', 'close', closedMessage],
  ['bank-messages', 'book', message],
];

test.each(wrong)('%s %s from a wrong state is refused and leaves no trace', async (...row) => {
  const [resource, move, from] = row;
  const id = await from();
  const before = await reviewsOf(id);
  const body = { note: 'seen by hand', ...(move === 'classify' && { handled_as: 'error' }) };
  expect(await refusalOf(review(resource, id, move, body))).toMatchObject({
    code: 'invalid_state',
  });
  expect(await reviewsOf(id)).toEqual(before);
});

describe('not_found', () => {
  const unknown = (kind: IdKind) => publicId(kind, randomUUID());
  const paths: readonly (readonly [string, string, string, string])[] = [
    ['resource', 'merchants', 'cus_x', 'approve'],
    ['resource', 'constructor', 'cus_x', 'approve'],
    ['move', 'customers', 'cus_x', 'forget'],
    ['move', 'disputes', 'dsp_x', 'close'],
    ['move', 'customers', 'cus_x', 'constructor'],
    ['move', 'accounts', 'acct_x', 'approve'],
    ['id', 'customers', 'cus_x', 'approve'],
    ['id', 'accounts', unknown('customer'), 'suspend'],
    ['id', 'documents', 'house_rules', 'publish'],
    ['id', 'documents', 'constructor', 'publish'],
    ['id', 'reserve', 'mine', 'fund'],
  ];
  test.each(paths)('of such a %s: %s/%s/%s', async (param, resource, id, move) => {
    const refusal = { code: 'not_found', param };
    expect(await refusalOf(review(resource, id, move))).toMatchObject(refusal);
  });

  const records: [string, IdKind, string, object?][] = [
    ['customers', 'customer', 'approve'],
    ['owners', 'owner', 'approve'],
    ['linked-accounts', 'linked_account', 'verify'],
    ['accounts', 'account', 'suspend'],
    ['accounts', 'account', 'adjust', { amount: 1 }],
    ['disputes', 'dispute', 'investigate'],
    ['disputes', 'dispute', 'resolve_partial', { amount: 1 }],
    ['disputes', 'dispute', 'classify', { handled_as: 'error', note: 'It is one' }],
    ['suspense', 'adjustment', 'match'],
    ['bank-messages', 'bank_message', 'close'],
    ['bank-messages', 'bank_message', 'book'],
    ['notices', 'notice', 'give', { finding: 'by post' }],
    ['return-requests', 'return_request', 'accept'],
    ['return-requests', 'return_request', 'refuse', { finding: 'it is spent' }],
  ];
  test.each(records)('under an unknown id of %s', async (resource, kind, move, body) => {
    const refusal = { code: 'not_found' };
    expect(await refusalOf(review(resource, unknown(kind), move, body))).toMatchObject(refusal);
  });

  test("for another tenant's reviewer", async () => {
    const other = await server.anotherTenant();
    const path = `/portal/api/review/customers/${await inReview()}/approve`;
    const reply = await server.call('POST', path, { token: other.token });
    expect(reply.status).toBe(404);
  });
});

/** The fields that the body must and must not have. */
const bodies: readonly (readonly [string, string, string, object, string, string])[] = [
  ['accounts', 'account', 'adjust', {}, 'parameter_missing', 'amount'],
  ['accounts', 'account', 'adjust', { amount: null }, 'parameter_missing', 'amount'],
  ['accounts', 'account', 'adjust', { amount: 0 }, 'parameter_invalid', 'amount'],
  ['accounts', 'account', 'adjust', { amount: 1.5 }, 'parameter_invalid', 'amount'],
  ['accounts', 'account', 'suspend', { amount: 5 }, 'parameter_invalid', 'amount'],
  ['reserve', '', 'fund', {}, 'parameter_missing', 'amount'],
  ['reserve', '', 'fund', { amount: 0 }, 'parameter_invalid', 'amount'],
  ['reserve', '', 'fund', { amount: -1 }, 'parameter_invalid', 'amount'],
  [
    'linked-accounts',
    'linked_account',
    'reject',
    { failure_code: 'customer_refused' },
    'parameter_invalid',
    'failure_code',
  ],
  [
    'customers',
    'customer',
    'reject',
    { failure_code: 'owner_mismatch' },
    'parameter_invalid',
    'failure_code',
  ],
  ['suspense', 'adjustment', 'match', { account_id: 'acct_x' }, 'not_found', 'account_id'],
  ['suspense', 'adjustment', 'return', { account_id: 'acct_x' }, 'parameter_invalid', 'account_id'],
  ['suspense', 'adjustment', 'match', { note: '' }, 'parameter_invalid', 'note'],
  ['suspense', 'adjustment', 'match', { operator: 'me' }, 'parameter_invalid', 'operator'],
];
test.each(bodies)('%s (%s) %s with %j is refused', async (...row) => {
  const [resource, kind, move, body, code, param] = row;
  const id = resource === 'reserve' ? 'reserve' : publicId(kind as IdKind, randomUUID());
  expect(await refusalOf(review(resource, id, move, body))).toMatchObject({ code, param });
});

describe('an adjustment', () => {
  /** The account's latest Transaction. */
  const latest = async ({ accountId }: Person): Promise<ReplyBody> =>
    (await api.get(`/v1/accounts/${accountId}/transactions?limit=1`)).data[0];

  test('is paid from the reserve, or goes back into it', async () => {
    const ben = await newPerson();
    await review('accounts', ben.accountId, 'adjust', { amount: 20_00 });
    expect(await api.balance(ben)).toMatchObject({ available: 20_00 });
    const given = await latest(ben);
    expect(given).toMatchObject({
      type: 'adjustment',
      direction: 'credit',
      amount: 20_00,
      counterparty: null,
      source_type: 'adjustment',
    });
    expect(await entriesOf(uuid('adjustment', given.source_id))).toEqual([
      { step: 'adjusted', pocket: 'reserve', delta: -20_00, transaction_type: null },
      { step: 'adjusted', pocket: 'available', delta: 20_00, transaction_type: 'adjustment' },
    ]);
    await review('accounts', ben.accountId, 'adjust', { amount: -5_00 });
    expect(await api.balance(ben)).toMatchObject({ available: 15_00 });
    const taken = await latest(ben);
    expect(taken).toMatchObject({ direction: 'debit', amount: 5_00 });
    expect(await entriesOf(uuid('adjustment', taken.source_id))).toEqual([
      { step: 'adjusted_back', pocket: 'available', delta: -5_00, transaction_type: 'adjustment' },
      { step: 'adjusted_back', pocket: 'reserve', delta: 5_00, transaction_type: null },
    ]);
  });

  test('takes back no more than is available', async () => {
    const ben = await newPerson();
    await review('accounts', ben.accountId, 'adjust', { amount: 10_00 });
    expect(
      await refusalOf(review('accounts', ben.accountId, 'adjust', { amount: -10_01 })),
    ).toMatchObject({
      code: 'insufficient_funds',
      details: { available: 10_00, required: 10_01 },
    });
    await review('accounts', ben.accountId, 'adjust', { amount: -10_00 });
    expect(await api.balance(ben)).toMatchObject({ available: 0 });
  });

  test('of a closed account is refused', async () => {
    const refusal = { code: 'invalid_state', details: { current_status: 'closed' } };
    const id = await closedAccount();
    expect(await refusalOf(review('accounts', id, 'adjust', { amount: 1 }))).toMatchObject(refusal);
  });

  test('requested twice under one key is made once', async () => {
    const ben = await newPerson();
    const path = `/portal/api/review/accounts/${ben.accountId}/adjust`;
    const send = (amount: number) =>
      server.call('POST', path, {
        key: `key ${ben.accountId}`.replace(' ', '-'),
        body: { amount },
      });
    const [first, again] = [await send(3_00), await send(3_00)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await api.balance(ben)).toMatchObject({ available: 3_00 });
    expect(await reviewsOf(ben.accountId)).toHaveLength(1);
    expect((await send(4_00)).body.error).toMatchObject({ param: 'Idempotency-Key' });
  });
});

/** A move between the Tenant's own accounts. */
const plain = { transaction_type: null } as const;

describe('money in suspense', () => {
  test('that is matched is credited to the account that it names, and its bank message is closed', async () => {
    const { id, load } = await lateMoney(21_00);
    const before = await api.balance(ana);
    expect(await review('suspense', id, 'match')).toMatchObject({
      id,
      object: 'suspense',
      status: 'matched',
      reason: 'late',
      source_type: 'load',
      source_id: load,
      account_id: ana.accountId,
      linked_account_id: ana.linkedAccountId,
    });
    const after = await api.balance(ana);
    expect(after.available).toBe(before.available + 21_00);
    expect(await entriesOf(uuid('adjustment', id))).toEqual([
      { step: 'suspense_received', pocket: 'cash', delta: -21_00, transaction_type: null },
      { step: 'suspense_received', pocket: 'suspense', delta: 21_00, transaction_type: null },
      { step: 'suspense_matched', pocket: 'suspense', delta: -21_00, transaction_type: null },
      {
        step: 'suspense_matched',
        pocket: 'available',
        delta: 21_00,
        transaction_type: 'adjustment',
      },
    ]);
    const [said] = await engine.query(
      'select status, closed_at from bank_messages where tenant_id = $1 and source_id = $2',
      uuid('load', load),
    );
    expect(said).toEqual({ status: 'closed', closed_at: expect.any(String) });
  });

  test('may be matched to another account', async () => {
    const ben = await newPerson();
    const id = await late();
    await review('suspense', id, 'match', { account_id: ben.accountId });
    expect(await api.balance(ben)).toMatchObject({ available: 12_00 });
  });

  test('is matched to no closed account, and to none of another tenant', async () => {
    const id = await late();
    const closed = { account_id: await closedAccount() };
    expect(await refusalOf(review('suspense', id, 'match', closed))).toMatchObject({
      details: { reason: 'account_closed' },
    });
    const strange = { account_id: publicId('account', randomUUID()) };
    expect(await refusalOf(review('suspense', id, 'match', strange))).toMatchObject({
      param: 'account_id',
    });
    expect(await review('suspense', id, 'return')).toMatchObject({ status: 'returned' });
  });

  test('that is returned leaves by the bank, and no account is credited', async () => {
    const { id, load } = await lateMoney(22_00);
    const before = await api.balance(ana);
    await review('suspense', id, 'return');
    expect((await api.balance(ana)).ledger).toBe(before.ledger);
    expect((await entriesOf(uuid('adjustment', id))).slice(2)).toEqual([
      { step: 'suspense_return_ordered', pocket: 'suspense', delta: -22_00, ...plain },
      { step: 'suspense_return_ordered', pocket: 'return_in_transit', delta: 22_00, ...plain },
      { step: 'suspense_return_settled', pocket: 'return_in_transit', delta: -22_00, ...plain },
      { step: 'suspense_return_settled', pocket: 'cash', delta: 22_00, ...plain },
    ]);
    const [said] = await engine.query(
      'select status from bank_messages where tenant_id = $1 and source_id = $2',
      uuid('load', load),
    );
    expect(said.status).toBe('closed');
  });

  test('decided by two reviewers at once follows one decision', async () => {
    const id = await late();
    const both = ['match', 'return'].map((move) => review('suspense', id, move));
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const steps = (await entriesOf(uuid('adjustment', id))).map(({ step }) => step);
    const decisions = ['suspense_matched', 'suspense_return_ordered'];
    expect(steps.filter((step) => decisions.includes(step))).toHaveLength(2);
    expect(new Set(steps.filter((step) => decisions.includes(step))).size).toBe(1);
  });

  test('that is matched funds a refund that waits for it', async () => {
    await api.confirmed(api.pay(ana, shop, 30_00));
    const { data } = await api.get('/portal/api/payments?limit=1');
    const withdrawal = await api.confirmed(api.withdraw(shop, 30_00));
    await api.simulate('withdrawal.settled', withdrawal.id);
    const refund = await api.confirmed(api.refund(data[0], 12_00));
    expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'pending_funds',
    });
    await review('suspense', await late(), 'match', { account_id: shop.accountId });
    expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'completed',
    });
  });
});

test('a legal hold keeps what remains of a closing account; its release lets the closing go on', async () => {
  const ben = await newPerson('standard');
  await api.fund(ben, 40_00);
  await review('accounts', ben.accountId, 'place_hold');
  await api.close(ben);
  await server.workers.jobs.runDueJobs(tenantId);
  expect(await api.balance(ben)).toMatchObject({ available: 40_00, pending_outgoing: 0 });
  await review('accounts', ben.accountId, 'release_hold');
  expect(await api.balance(ben)).toMatchObject({ available: 0, pending_outgoing: 40_00 });
});

test('a published document is requested of every customer who accepted it before', async () => {
  const { customerId } = await newPerson();
  const { customers } = await review(
    'documents',
    'privacy_notice',
    'publish',
    newVersion('2026-02'),
  );
  expect(customers).toBeGreaterThan(1);
  const { data } = await api.get(`/v1/customers/${customerId}/documents`);
  const notices = data.filter((row: ReplyBody) => row.document_type === 'privacy_notice');
  expect(notices.map((row: ReplyBody) => row.status)).toEqual(['pending_acceptance', 'accepted']);
});

test('the reserve is funded from the operating account', async () => {
  const { id } = await review('reserve', 'reserve', 'fund', { amount: 9_00 });
  expect(await entriesOf(uuid('adjustment', id))).toEqual([
    { step: 'top_up_ordered', pocket: 'top_up_in_transit', delta: -9_00, ...plain },
    { step: 'top_up_ordered', pocket: 'reserve', delta: 9_00, ...plain },
    { step: 'top_up_settled', pocket: 'cash', delta: -9_00, ...plain },
    { step: 'top_up_settled', pocket: 'top_up_in_transit', delta: 9_00, ...plain },
  ]);
});

describe('the queue', () => {
  let other: { token: string };
  const queue = async (search = '?limit=100'): Promise<ReplyBody> =>
    api.get(`/portal/api/review${search}`);

  test('holds all records that wait for a reviewer, with the possible moves, until one is made', async () => {
    const waiting = [
      ['customers', await inReview(), ['approve', 'reject', 'request_more'], 'approve'],
      ['owners', await owner(), ['approve', 'reject'], 'approve'],
      ['linked-accounts', await heldLink(), ['verify', 'reject'], 'reject'],
      [
        'disputes',
        await newNotice(),
        [
          'investigate',
          'classify',
          'extenuating',
          'resolve_approved',
          'resolve_partial',
          'resolve_denied',
          'resolve_withdrawn',
          'liability_merchant',
          'liability_platform',
        ],
        'resolve_denied',
      ],
      ['suspense', await late(), ['match', 'return'], 'return'],
      ['bank-messages', await message(), ['close'], 'close'],
      ['return-requests', await askedBack(), ['accept', 'refuse'], 'accept'],
      ['notices', await letterInVain(), ['give'], 'give', { finding: 'by post' }],
    ] as const;
    await api.simulate('owner.in_review', waiting[1][1]);
    for (const [resource, id, moves, move, body] of waiting) {
      const { data } = await queue();
      const item = data.find((found: ReplyBody) => found.id === id);
      expect(item).toMatchObject({ object: 'review_item', resource, moves, record: { id } });
      const finding = resource === 'disputes' ? { finding: 'It was hers' } : {};
      await review(resource, id, move, body ?? finding);
      expect((await queue()).data.map((found: ReplyBody) => found.id)).not.toContain(id);
    }
  });

  test('shows a record as the API does', async () => {
    const customer = await inReview();
    const { data } = await queue();
    const item = data.find(({ id }: ReplyBody) => id === customer);
    expect(item.record).toEqual(await api.get(`/v1/customers/${customer}`));
    expect(item.waiting_since).toBe(item.record.verification.updated_at);
  });

  test('is listed newest first, the same page by page', async () => {
    for (const make of [inReview, heldLink, late, message, inReview]) await make();
    const all = (await queue()).data;
    expect(all.length).toBeGreaterThan(6);
    const since = all.map((item: ReplyBody) => item.waiting_since);
    expect(since).toEqual([...since].sort().reverse());
    for (const limit of [1, 3]) {
      const walked: ReplyBody[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: ReplyBody = await queue(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        walked.push(...page.data);
        cursor = page.next_cursor;
      }
      expect(walked).toEqual(all);
    }
  });

  test('shows no record of another tenant, and refuses its cursors', async () => {
    other = await server.anotherTenant();
    const empty = { object: 'list', data: [], has_more: false, next_cursor: null };
    const options = { token: other.token };
    expect((await server.call('GET', '/portal/api/review', options)).body).toEqual(empty);
    const { next_cursor } = await queue('?limit=1');
    const path = `/portal/api/review?cursor=${next_cursor}`;
    const { status, body } = await server.call('GET', path, options);
    expect([status, body.error.param]).toEqual([400, 'cursor']);
  });
});
