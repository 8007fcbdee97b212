import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { Load } from '@tenant-payments/contract/resources/loads.ts';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { addSeconds } from '../../../engine/time/instant.ts';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openInbound } from '../../inbound/inbound.ts';
import { instructionJob } from '../../inbound/instruction_job.ts';
import type { BankInstruction } from '../../rails/bank.ts';
import { makeDormant, suspendAccount } from '../accounts/moves.ts';
import { getBalance } from '../accounts/read.ts';
import { failLink } from '../linked_accounts/moves.ts';
import { removeLinkedAccount } from '../linked_accounts/remove.ts';
import { createLoad } from './create.ts';
import { failLoad, loadTimeoutJob, settleLoad } from './moves.ts';
import { getLoad } from './read.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(async () => {
  ana = await api.banked('individual');
});

const daySeconds = 24 * 3600;
const loadId = (load: { id: string }) => ({ id: uuid('load', load.id) });
const create = (amount: number, person = ana) =>
  engine.run(createLoad, { customer_id: person.customerId, amount });
const refused = (amount: number, person = ana) =>
  engine.refusal(createLoad, { customer_id: person.customerId, amount });
const account = () => ({ id: uuid('account', ana.accountId) });

async function confirmed(amount: number) {
  const load = await create(amount);
  await engine.run(answer('confirm'), loadId(load));
  return load;
}

async function counted(person = ana) {
  const { rows } = await server.service.pool.query<{ kind: string; used: number }>(
    'select kind, used from limit_counters where customer_id = $1',
    [uuid('customer', person.customerId)],
  );
  return Object.fromEntries(rows.map(({ kind, used }) => [kind, used]));
}

test('a load is created for the verified link, with its confirmation session', async () => {
  const load = await create(100_00);
  expect(Value.Errors(Load, load)).toEqual([]);
  expect(load).toMatchObject({
    customer_id: ana.customerId,
    account_id: ana.accountId,
    linked_account_id: ana.linkedAccountId,
    amount: 100_00,
    status: 'requires_confirmation',
    confirmation_session: { flow: 'payment_confirm' },
  });
  const plain = { ...load, confirmation_session: null };
  expect(await getLoad(engine.context(), { id: load.id })).toEqual(plain);
  expect(await counted()).toEqual({ load_daily: 100_00, load_30_day: 100_00, open_loads: 100_00 });
});

test('a confirmed load is sent to the bank once, and credits the account when settled', async () => {
  const load = await confirmed(100_00);
  const { service } = server;
  const { rows } = await service.pool.query('select id from instructions where source_id = $1', [
    loadId(load).id,
  ]);
  const taken: BankInstruction[] = [];
  const bank = { take: async (order: BankInstruction) => void taken.push(order) };
  const job = instructionJob({
    ...service,
    bank,
    inbound: openInbound({ ...service, asks: false }),
  });
  for (let time = 1; time <= 2; time += 1) await engine.run(job, { ref: rows[0].id });
  const { confirmed_at } = await getLoad(engine.context(), { id: load.id });
  expect(taken).toEqual([
    {
      tenantId: server.tenant.tenantId,
      id: rows[0].id,
      endToEndId: rows[0].id.replaceAll('-', ''),
      kind: 'request_for_payment',
      purpose: 'load',
      request: { useCase: 'account_to_account', networks: ['rtp', 'fednow'] },
      amount: 100_00,
      from: null,
      to: { role: 'fbo', account: null },
      expiresAt: addSeconds(String(confirmed_at), daySeconds),
      reference: 'public-sandbox-standard/',
      counterparty: {
        name: 'Ana Reyes',
        kind: 'individual',
        address: null,
        account: {
          routing: '011000015',
          account: '100000001234',
          type: 'checking',
          tokenized: false,
        },
      },
      remittance: `Test Tenant ${load.id.replace('_', '-')}`,
      returnOf: null,
    },
  ]);
  expect(await engine.jobs(rows[0].id)).toEqual([]);
  const settled = await engine.run(settleLoad, loadId(load));
  expect(settled).toMatchObject({ status: 'settled', failure_code: null, version: 3 });
  expect(await getBalance(engine.context(), { id: ana.accountId })).toMatchObject({
    ledger: 100_00,
    available: 100_00,
    pending_outgoing: 0,
    earmarked: 0,
  });
  expect(await counted()).toEqual({ load_daily: 100_00, load_30_day: 100_00, open_loads: 0 });
  expect(await engine.jobs(loadId(load).id)).toEqual([]);
  expect(await engine.refusal(settleLoad, loadId(load))).toMatchObject({ code: 'invalid_state' });
});

describe('refusals in the order of the checks', () => {
  const { flows, limits } = defaultSettings('x');

  test('flow_not_enabled, then customer_not_verified', async () => {
    const nobody = { ...ana, customerId: 'cus_nobody' };
    await engine.change({ flows: { ...flows, loads: false } });
    expect(await refused(100, nobody)).toMatchObject({
      code: 'flow_not_enabled',
      details: { flow: 'loads' },
    });
    await engine.change({ flows });
    expect(await refused(100, nobody)).toEqual({
      code: 'customer_not_verified',
      param: null,
      details: {},
    });
    const created = await api.customer('individual');
    expect(await refused(100, { ...ana, customerId: created.id })).toMatchObject({
      code: 'customer_not_verified',
      details: { verification_status: 'created' },
    });
  });

  test('account_restricted, then linked_account_required, then capability_unavailable', async () => {
    const bare = await api.approved('individual');
    const huge = 1_000_000_00;
    expect(await refused(huge, bare)).toMatchObject({
      code: 'linked_account_required',
      details: { linked_account_status: null },
    });
    await engine.run(suspendAccount, { id: uuid('account', bare.accountId) });
    expect(await refused(huge, bare)).toMatchObject({
      code: 'account_restricted',
      details: { reason: 'suspended' },
    });
    const ben = await api.banked('individual', 'rtp_only');
    expect(await refused(huge, ben)).toMatchObject({
      code: 'capability_unavailable',
      details: { capability: 'load', linked_account_id: ben.linkedAccountId },
    });
    await engine.run(failLink, {
      id: uuid('linked_account', ben.linkedAccountId ?? ''),
      failure_code: 'account_closed',
    });
    expect(await refused(huge, ben)).toMatchObject({
      code: 'linked_account_required',
      details: { linked_account_status: 'failed' },
    });
  });

  test('limit_exceeded names the first limit that the load does not fit', async () => {
    const perLoad = limits.load_per_transaction.individual ?? 0;
    expect((await refused(perLoad + 1)).details).toEqual({
      limit: 'load_per_transaction',
      maximum: perLoad,
      used: 0,
      requested: perLoad + 1,
    });
    await create(perLoad);
    const daily = await refused(perLoad);
    expect(daily).toMatchObject({
      code: 'limit_exceeded',
      param: 'amount',
      details: { limit: 'load_daily', maximum: 5_000_00, used: perLoad, requested: perLoad },
    });
    const { resets_at } = daily.details as { resets_at: string };
    expect(resets_at).toBe('2026-01-21T05:00:00.000Z');
  });

  test('open loads count towards balance_maximum, whatever day they were made', async () => {
    const unlimited = { individual: null, business: null };
    await engine.change({
      limits: {
        ...limits,
        load_daily: unlimited,
        balance_maximum: { individual: 8_000_00, business: null },
      },
    });
    const first = await create(3_000_00);
    await create(3_000_00);
    expect((await refused(3_000_00)).details).toMatchObject({
      limit: 'balance_maximum',
      used: 6_000_00,
    });
    await engine.run(answer('decline'), loadId(first));
    await create(3_000_00);
    await engine.change({
      limits: { ...limits, load_daily: unlimited, balance_maximum: unlimited },
    });
    await engine.change({
      limits: { ...limits, load_30_day: { individual: 8_000_00, business: null } },
    });
    expect((await refused(3_000_00)).details).toMatchObject({ limit: 'load_daily' });
    await engine.moveClock(daySeconds);
    expect((await refused(3_000_00)).details).toMatchObject({
      limit: 'load_30_day',
      used: 6_000_00,
    });
    await engine.moveClock(30 * daySeconds);
    await create(3_000_00);
    await engine.change({ limits });
  });

  test('parallel loads never exceed the limit', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create(1_000_00)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await counted()).toMatchObject({ load_daily: 5_000_00, open_loads: 5_000_00 });
  });
});

describe('an unconfirmed load', () => {
  const nothing = { load_daily: 0, load_30_day: 0, open_loads: 0 };

  test('that is declined fails and gives its limits back', async () => {
    const load = await create(100_00);
    await engine.run(answer('decline'), loadId(load));
    expect(await getLoad(engine.context(), { id: load.id })).toMatchObject({
      status: 'failed',
      failure_code: 'confirmation_declined',
    });
    expect(await counted()).toEqual(nothing);
  });

  test('whose session is left stays open until its deadline', async () => {
    const load = await create(100_00);
    await engine.run(answer('leave'), loadId(load));
    expect((await engine.jobs(loadId(load).id)).map(({ name }) => name)).toEqual(['load_deadline']);
    expect(await getLoad(engine.context(), { id: load.id })).toMatchObject({
      status: 'requires_confirmation',
    });
  });

  test.each([
    [
      'whose account was suspended',
      'account_restricted',
      () => engine.run(suspendAccount, account()),
    ],
    [
      'whose link was removed',
      'linked_account_removed',
      () =>
        engine.run(removeLinkedAccount, {
          id: ana.customerId,
          linked_account_id: ana.linkedAccountId ?? '',
        }),
    ],
    [
      'whose link failed',
      'linked_account_failed',
      () =>
        engine.run(failLink, {
          id: uuid('linked_account', ana.linkedAccountId ?? ''),
          failure_code: 'account_closed',
        }),
    ],
  ])('%s fails at its confirmation: %s', async (_what, failure_code, prevent) => {
    const load = await create(100_00);
    await prevent();
    expect(await engine.run(answer('confirm'), loadId(load))).toBe('failed');
    expect(await getLoad(engine.context(), { id: load.id })).toMatchObject({
      status: 'failed',
      failure_code,
      confirmed_at: null,
    });
    expect(await counted()).toEqual(nothing);
  });

  test('makes a dormant account active when confirmed', async () => {
    await engine.run(makeDormant, account());
    await confirmed(100_00);
    expect(await engine.events(account().id)).toEqual([
      'account.created',
      'account.dormant',
      'account.reactivated',
    ]);
  });
});

describe('a load in processing', () => {
  test("that the bank refuses fails with the bank's code and gives its limits back", async () => {
    const load = await confirmed(100_00);
    const failed = await engine.run(failLoad, {
      ...loadId(load),
      failure_code: 'customer_refused',
    });
    expect(failed).toMatchObject({ status: 'failed', failure_code: 'customer_refused' });
    expect(await counted()).toEqual({ load_daily: 0, load_30_day: 0, open_loads: 0 });
  });

  test('without an answer fails after 24 hours, not earlier, and its instruction is withdrawn', async () => {
    const load = await confirmed(100_00);
    const ref = { ref: loadId(load).id };
    await engine.run(loadTimeoutJob, ref);
    await engine.moveClock(daySeconds - 60);
    await engine.run(loadTimeoutJob, ref);
    expect((await engine.jobs(ref.ref)).map(({ name }) => name)).toEqual(['load_timeout']);
    await engine.moveClock(61);
    await engine.run(loadTimeoutJob, ref);
    expect(await engine.jobs(ref.ref)).toEqual([]);
    expect(await getLoad(engine.context(), { id: load.id })).toMatchObject({
      failure_code: 'request_expired',
    });
    const { rows } = await server.service.pool.query(
      'select status from instructions where source_id = $1',
      [ref.ref],
    );
    expect(rows).toEqual([{ status: 'withdrawn' }]);
    await engine.run(loadTimeoutJob, ref);
  });
});
