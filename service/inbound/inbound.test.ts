import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, onboard } from '../../test/kit/engine.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankFact, BankOutcome, Inbound, LinkFact } from '../rails/facts.ts';
import { getBalance } from '../resources/accounts/read.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
} from '../resources/customers/moves.ts';
import { approveOwner } from '../resources/customers/owners/moves.ts';
import { getCustomer, listOwners } from '../resources/customers/read.ts';
import { createLinkedAccount } from '../resources/linked_accounts/create.ts';
import { verifyLink } from '../resources/linked_accounts/moves.ts';
import { listLinkedAccounts } from '../resources/linked_accounts/read.ts';
import { createLoad } from '../resources/loads/create.ts';
import { failLoad, settleLoad } from '../resources/loads/moves.ts';
import { getLoad } from '../resources/loads/read.ts';
import { openSandboxAggregator } from '../sandbox/rails/aggregator.ts';
import { openInbound } from './inbound.ts';

let inbound: Inbound;
/** The alarms that were logged. */
let alarms: { alarm: string; kind: string; fact: object }[] = [];

const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
const { log } = server.service;
beforeAll(async () => {
  const error = (facts: (typeof alarms)[number]) => void alarms.push(facts);
  inbound = openInbound({
    engine: server.service.engine,
    log: Object.assign(Object.create(log), { error }),
    asks: false,
  });
});
beforeEach(() => {
  alarms = [];
});

const id = () => crypto.randomUUID();
const noted = () => alarms.map(({ alarm }) => alarm);

describe('a fact of the bank', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await api.banked('individual');
  });

  const settled: BankOutcome = { outcome: 'settled', amount: 100_00 };
  const failed = (reason: string): BankOutcome => ({ outcome: 'failed', reason });

  /** A confirmed load, with the id of its order. */
  async function ordered(amount = 100_00) {
    const load = await engine.run(createLoad, { customer_id: ana.customerId, amount });
    const loadId = uuid('load', load.id);
    await engine.run(answer('confirm'), { id: loadId });
    const rows = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      loadId,
    );
    return { wire: load.id as string, loadId, orderId: rows[0].id as string };
  }
  const told = (orderId: string, outcome: BankOutcome, fact = id()) =>
    inbound.bank(tenantId, { id: fact, orderId, ...outcome });
  const shown = ({ wire }: { wire: string }) => getLoad(engine.context(), { id: wire });

  test('a reason that is not about the customer pages an operator once, and the record fails all the same', async () => {
    const load = await ordered();
    const fact = id();
    expect(await told(load.orderId, failed('AC14'), fact)).toBe('taken');
    expect(await told(load.orderId, failed('AC14'), fact)).toBe('taken');
    expect(noted()).toEqual(['bank_refusal']);
    expect(await shown(load)).toMatchObject({ status: 'failed', failure_code: 'processing_error' });
    const other = await ordered();
    expect(await told(other.orderId, failed('ZZ99'))).toBe('taken');
    expect(noted()).toEqual(['bank_refusal', 'bank_reason']);
    expect(await shown(other)).toMatchObject({ failure_code: 'rejected_other' });
  });

  test('the answer that an order was sent before ends it not, and a reviewer is told', async () => {
    const load = await ordered();
    expect(await told(load.orderId, failed('DUPL'))).toBe('contradiction');
    expect(await shown(load)).toMatchObject({ status: 'processing' });
    expect(await told(load.orderId, settled)).toBe('taken');
    expect(await shown(load)).toMatchObject({ status: 'settled' });
  });

  test('money of the exact amount settles a load, however often it is reported', async () => {
    const load = await ordered();
    const before = await getBalance(engine.context(), { id: ana.accountId });
    const fact = id();
    expect(await told(load.orderId, settled, fact)).toBe('taken');
    expect(await told(load.orderId, settled, fact)).toBe('taken');
    expect(await told(load.orderId, settled)).toBe('known');
    expect(await shown(load)).toMatchObject({ status: 'settled', version: 3 });
    const after = await getBalance(engine.context(), { id: ana.accountId });
    expect(after.available).toBe(before.available + 100_00);
    expect(noted()).toEqual([]);
  });

  test('of twenty copies of one fact at once, one moves the load and all get its result', async () => {
    const load = await ordered();
    const fact: BankFact = { id: id(), orderId: load.orderId, ...settled };
    const copies = Array.from({ length: 20 }, () => inbound.bank(tenantId, fact));
    expect(new Set(await Promise.all(copies))).toEqual(new Set(['taken']));
    expect(await engine.events(load.loadId)).toHaveLength(3);
  });

  test.each([
    ['AC04', 'account_closed', 'AC04'],
    ['AC07', 'processing_error', 'AC07'],
    ['AC06', 'account_blocked', 'AC06'],
    ['AM04', 'insufficient_funds_at_bank', 'AM04'],
    ['CUST', 'customer_refused', 'CUST'],
    ['SL12', 'customer_opted_out', 'SL12'],
    ['AEXR', 'request_expired', 'AEXR'],
    ['MS03', 'rejected_other', 'MS03'],
    ['bank_unavailable', 'bank_unavailable', null],
    ['BE06', 'invalid_account_number', 'BE06'],
    ['XX99', 'rejected_other', 'XX99'],
    ['confirmation_declined', 'rejected_other', 'confirmation_declined'],
  ])(
    'the reason %s fails a load with %s and is stored as %s',
    async (reason, failure_code, kept) => {
      const load = await ordered();
      expect(await told(load.orderId, failed(reason))).toBe('taken');
      expect(await shown(load)).toMatchObject({ status: 'failed', failure_code, version: 3 });
      const { rows } = await server.service.pool.query(
        'select network_reason_code from loads where id = $1',
        [load.loadId],
      );
      expect(rows).toEqual([{ network_reason_code: kept }]);
    },
  );

  test('money of another amount settles no load and raises an alarm', async () => {
    const load = await ordered();
    expect(await told(load.orderId, { outcome: 'settled', amount: 99_99 })).toBe('amount_mismatch');
    expect(await shown(load)).toMatchObject({ status: 'processing', version: 2 });
    expect(noted()).toEqual(['amount_mismatch']);
    expect(await told(load.orderId, settled)).toBe('taken');
  });

  test('a contradiction to the end of a load moves nothing and raises one alarm', async () => {
    const paid = await ordered();
    await engine.run(settleLoad, { id: paid.loadId });
    const fact = id();
    expect(await told(paid.orderId, failed('AC04'), fact)).toBe('contradiction');
    expect(await told(paid.orderId, failed('AC04'), fact)).toBe('contradiction');
    expect(await shown(paid)).toMatchObject({ status: 'settled', version: 3 });
    const refused = await ordered();
    await engine.run(failLoad, { id: refused.loadId, failure_code: 'customer_refused' });
    expect(await told(refused.orderId, failed('AEXR'))).toBe('known');
    expect(await told(refused.orderId, settled)).toBe('late');
    expect(await shown(refused)).toMatchObject({
      status: 'failed',
      failure_code: 'customer_refused',
      version: 3,
    });
    expect(noted()).toEqual(['contradiction', 'late']);
    expect(alarms[0]).toMatchObject({ kind: 'bank_fact', fact: { orderId: paid.orderId } });
  });

  test('one id with two contents is refused', async () => {
    const load = await ordered();
    const fact = id();
    await told(load.orderId, failed('AC04'), fact);
    await expect(told(load.orderId, settled, fact)).rejects.toMatchObject({
      code: 'parameter_invalid',
    });
  });

  test("an unknown order, or another tenant's, raises an alarm and moves nothing", async () => {
    const load = await ordered();
    expect(await told(id(), settled)).toBe('unknown');
    const other = await server.anotherTenant();
    const fact = { id: id(), orderId: load.orderId, ...settled };
    expect(await inbound.bank(other.tenantId, fact)).toBe('unknown');
    expect(await shown(load)).toMatchObject({ status: 'processing' });
    expect(noted()).toEqual(['unknown', 'unknown']);
  });
});

describe('a fact of the identity provider', () => {
  async function applied(type: 'individual' | 'business') {
    const created = await api.customer(type);
    const subjectId = uuid('customer', created.id);
    await engine.run(onboard, { id: subjectId });
    return { subject: 'customer', subjectId, wire: { id: created.id as string } } as const;
  }
  type Subject = { subject: 'customer' | 'owner'; subjectId: string };
  const told = (
    { subject, subjectId }: Subject,
    decision: 'approved' | 'rejected' | 'unclear',
    fact = id(),
  ) => inbound.identity(tenantId, { id: fact, subject, subjectId, decision });
  const statusOf = async ({ wire }: { wire: { id: string } }) =>
    (await getCustomer(engine.context(), wire)).verification.status;

  test('each decision makes its move, and the same again makes none', async () => {
    const cases = [
      ['approved', 'approved'],
      ['rejected', 'rejected'],
      ['unclear', 'in_review'],
    ] as const;
    for (const [decision, status] of cases) {
      const customer = await applied('individual');
      expect(await told(customer, decision)).toBe('taken');
      expect(await told(customer, decision)).toBe('known');
      expect(await statusOf(customer)).toBe(status);
    }
    expect(noted()).toEqual([]);
  });

  test('an unclear decision may be followed by another, and an approval by an unclear one', async () => {
    const customer = await applied('individual');
    await engine.run(holdCustomerForReview, { id: customer.subjectId });
    expect(await told(customer, 'approved')).toBe('taken');
    expect(await told(customer, 'unclear')).toBe('taken');
    expect(await statusOf(customer)).toBe('in_review');
  });

  test('a copy of an approval does not undo a later unclear decision', async () => {
    const customer = await applied('individual');
    const fact = id();
    await told(customer, 'approved', fact);
    await engine.run(holdCustomerForReview, { id: customer.subjectId });
    expect(await told(customer, 'approved', fact)).toBe('taken');
    expect(await statusOf(customer)).toBe('in_review');
  });

  test('a contradiction to a decision moves nothing and raises an alarm', async () => {
    const rejected = await applied('individual');
    await engine.run(rejectCustomer, { id: rejected.subjectId });
    expect(await told(rejected, 'approved')).toBe('contradiction');
    const created = await api.customer('individual');
    const unasked = { subject: 'customer', subjectId: uuid('customer', created.id) } as const;
    expect(await told(unasked, 'approved')).toBe('contradiction');
    const approved = await applied('individual');
    await engine.run(approveCustomer, { id: approved.subjectId });
    expect(await told(approved, 'rejected')).toBe('contradiction');
    expect([await statusOf(rejected), await statusOf(approved)]).toEqual(['rejected', 'approved']);
    expect(noted()).toEqual(['contradiction', 'contradiction', 'contradiction']);
  });

  test('a business is approved no earlier than its owners, whose decisions work the same', async () => {
    const business = await applied('business');
    expect(await told(business, 'approved')).toBe('early');
    const { data } = await listOwners(engine.context(), business.wire);
    const owner = { subject: 'owner', subjectId: uuid('owner', data[0]?.id ?? '') } as const;
    expect(await told(owner, 'unclear')).toBe('taken');
    expect(await told(owner, 'approved')).toBe('taken');
    expect(await told(owner, 'rejected')).toBe('contradiction');
    expect(await told(business, 'approved')).toBe('taken');
    expect(await statusOf(business)).toBe('approved');
    expect(noted()).toEqual(['contradiction']);
  });

  test('the approval of the last owner requests the check of the business again', async () => {
    const business = await applied('business');
    await engine.query("delete from jobs where tenant_id = $1 and name = 'customer_check'");
    const { data } = await listOwners(engine.context(), business.wire);
    await engine.run(approveOwner, { id: uuid('owner', data[0]?.id ?? '') });
    expect((await engine.jobs(business.subjectId)).map(({ name }) => name)).toEqual([
      'customer_check',
    ]);
  });
});

describe('a fact of the aggregator', () => {
  async function pending(bank: string) {
    const { customerId } = await api.approved('individual');
    const link = await engine.run(
      createLinkedAccount(openSandboxAggregator(server.service.vault), server.service.vault),
      {
        id: customerId,
        public_token: `public-sandbox-${bank}`,
      },
    );
    return { customerId, linkId: uuid('linked_account', link.id) };
  }
  type Outcome = Pick<LinkFact, 'outcome'> & { failure?: 'owner_mismatch' | 'account_closed' };
  const told = (linkId: string, outcome: Outcome) =>
    inbound.aggregator(tenantId, { id: id(), linkId, ...outcome } as LinkFact);
  const shown = async ({ customerId }: { customerId: string }) =>
    (await listLinkedAccounts(engine.context(), { id: customerId })).data[0];

  test.each([
    ['verified', { outcome: 'verified' }, null],
    ['failed', { outcome: 'failed', failure: 'owner_mismatch' }, 'owner_mismatch'],
    ['held_for_review', { outcome: 'unclear' }, null],
  ] as const)('a check that ends makes the link %s, once', async (status, outcome, code) => {
    const link = await pending('standard');
    expect(await told(link.linkId, outcome)).toBe('taken');
    expect(await told(link.linkId, outcome)).toBe('known');
    expect(await shown(link)).toMatchObject({ status, failure_code: code, version: 2 });
  });

  test('a bank without RTP and Request for Payment fails the link, whatever the result of its checks', async () => {
    const link = await pending('no_rtp');
    expect(await told(link.linkId, { outcome: 'verified' })).toBe('taken');
    expect(await shown(link)).toMatchObject({
      status: 'failed',
      failure_code: 'rtp_not_supported',
    });
  });

  test('an account that is closed later fails its link; a link under review stays', async () => {
    const link = await pending('standard');
    await engine.run(verifyLink, { id: link.linkId });
    const closed = { outcome: 'failed', failure: 'account_closed' } as const;
    expect(await told(link.linkId, closed)).toBe('taken');
    expect(await shown(link)).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
    const held = await pending('review');
    await told(held.linkId, { outcome: 'unclear' });
    expect(await told(held.linkId, { outcome: 'verified' })).toBe('contradiction');
    expect(await shown(held)).toMatchObject({ status: 'held_for_review' });
    expect(noted()).toEqual(['contradiction']);
  });
});
