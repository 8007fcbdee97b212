import { randomUUID } from 'node:crypto';
import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { createLoad } from '../../service/resources/loads/create.ts';
import { settleLoad } from '../../service/resources/loads/moves.ts';
import { openFlow } from '../../service/resources/sessions/open_flow.ts';
import { answer } from './engine.ts';
import type { ReplyBody } from './http.ts';
import { uuid } from './ids.ts';
import type { Person } from './person.ts';
import { disputeSome } from './sample_disputes.ts';
import { startTestServer, type TestServer } from './server.ts';

const fee = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
/** One that each side bears, so that no amount of a movement equals another. */
const fees: FeeRule[] = [
  { ...fee, type: 'platform', basis_points: 50, fixed: 0, paid_by: 'payee' },
  { ...fee, type: 'tenant', basis_points: 0, fixed: 25, paid_by: 'payer' },
];

/** What a Tenant's server and its customers do over HTTP, each POST under a key of its own. */
function openShopping({ call }: TestServer) {
  async function post(path: string, body: object | undefined, status: number): Promise<ReplyBody> {
    const reply = await call('POST', path, { body, key: randomUUID() });
    if (reply.status !== status) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
  const simulate = (event: string, id: string, failure_code?: string) =>
    post(
      `/v1/sandbox/simulate/${event}`,
      { object_id: id, ...(failure_code ? { failure_code } : {}) },
      202,
    );
  const create = (payer: Person, source: string, how: object): Promise<ReplyBody> =>
    post('/v1/payments', { payer_customer_id: payer.customerId, source, ...how }, 201);
  return {
    simulate,
    pay: (payer: Person, payee: Person, amount: number) =>
      create(payer, 'balance', { payee_customer_id: payee.customerId, amount }),
    payCode: (payer: Person, { qr_payload }: ReplyBody) => create(payer, 'balance', { qr_payload }),
    payByBank: (payer: Person, payee: Person, amount: number) =>
      create(payer, 'bank_account', { payee_customer_id: payee.customerId, amount }),
    payCodeByBank: (payer: Person, { qr_payload }: ReplyBody) =>
      create(payer, 'bank_account', { qr_payload }),
    withdraw: ({ customerId }: Person, amount: number) =>
      post('/v1/withdrawals', { customer_id: customerId, amount }, 201),
    refund: (payment: ReplyBody, amount: number) =>
      post('/v1/refund-requests', { payment_id: payment.id, amount, reason: 'other' }, 201),
    close: ({ customerId }: Person) =>
      post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' }, 202),
    openFlow: (flow: string, { customerId }: Person) =>
      post('/v1/sessions', { flow, customer_id: customerId }, 201),
    async confirmed(record: Promise<ReplyBody>): Promise<ReplyBody> {
      const made = await record;
      await simulate('session.completed', made.id);
      return made;
    },
    async declined(record: Promise<ReplyBody>): Promise<void> {
      await simulate('session.canceled', (await record).id, 'confirmation_declined');
    },
    leave: (record: ReplyBody) => simulate('session.canceled', record.id),
    cancel: (payment: ReplyBody) => post(`/v1/payments/${payment.id}/cancel`, undefined, 200),
    request: (merchant: Person, what: object) =>
      post('/v1/payment-requests', { merchant_customer_id: merchant.customerId, ...what }, 201),
    cancelRequest: (request: ReplyBody) =>
      post(`/v1/payment-requests/${request.id}/cancel`, undefined, 200),
  };
}
type Shopping = ReturnType<typeof openShopping>;

/** A load as it waits for its customer. */
async function openLoad(
  { engine: { run } }: TestServer,
  { customerId }: Person,
  amount: number,
): Promise<string> {
  const load = await run(createLoad, { customer_id: customerId, amount });
  return uuid('load', load.id);
}

/** Deliveries as a dispatcher leaves them: one that arrived, one whose receiver was down. */
async function deliver(pool: pg.Pool, tenantId: string): Promise<void> {
  const answers = [
    { place: 0, status: 'delivered', response: 204, nextMinutes: null },
    { place: 1, status: 'retrying', response: 500, nextMinutes: 1 },
  ];
  for (const { place, status, response, nextMinutes } of answers) {
    const { rows } = await pool.query<{ event_id: string; created_at: string }>(
      `update deliveries set status = $2, attempts = 1, first_attempt_at = created_at,
        last_attempt_at = created_at, last_response_status = $3,
        (next_attempt_at, due_at, wake_at) = (select at, at, at
          from (select created_at + $4 * interval '1 minute' as at) next)
      where tenant_id = $1 and event_id = (select event_id from deliveries where tenant_id = $1
        order by event_id limit 1 offset $5) returning event_id, created_at`,
      [tenantId, status, response, nextMinutes, place],
    );
    await pool.query(
      `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
        duration_ms) values ($1, $2, 1, $3, 'https://shop.example/hook', '{}', $4, 12)`,
      [tenantId, rows[0]?.event_id, rows[0]?.created_at, response],
    );
  }
}

/** Payments from a balance and their requests, in every state; one of them is partly refunded later. */
async function payFromBalance(day: Shopping, ana: Person, shop: Person): Promise<ReplyBody> {
  const first = await day.confirmed(day.pay(ana, shop, 100_00));
  await day.pay(ana, shop, 10_00);
  await day.cancel(await day.pay(ana, shop, 20_00));
  await day.leave(await day.pay(ana, shop, 30_00));
  await day.confirmed(
    day.payCode(ana, await day.request(shop, { type: 'dynamic', amount: 18_50 })),
  );
  await day.request(shop, { type: 'dynamic', amount: 7_00 });
  await day.cancelRequest(await day.request(shop, { type: 'dynamic', amount: 8_00 }));
  const counter = { reference: 'counter-1', name: 'Counter 1' };
  await day.request(shop, { type: 'static', collection_point: counter });
  return first;
}

/** Payments by bank: one completed, one refused, one that claims its request. */
async function payByBank(day: Shopping, ana: Person, shop: Person): Promise<ReplyBody> {
  const paid = await day.confirmed(day.payByBank(ana, shop, 40_00));
  await day.simulate('payment.completed', paid.id);
  await day.simulate('payment.failed', (await day.confirmed(day.payByBank(ana, shop, 41_00))).id);
  const code = await day.request(shop, { type: 'dynamic', amount: 42_00 });
  await day.confirmed(day.payCodeByBank(ana, code));
  return paid;
}

/** Withdrawals in every state; what the bank has of the stall is all that the stall had. */
async function withdraw(day: Shopping, ana: Person, stall: Person): Promise<void> {
  await day.withdraw(ana, 11_00);
  await day.declined(day.withdraw(ana, 12_00));
  const settled = await day.confirmed(day.withdraw(ana, 13_00));
  await day.simulate('withdrawal.settled', settled.id);
  const failed = await day.confirmed(day.withdraw(ana, 14_00));
  await day.simulate('withdrawal.failed', failed.id);
  // The payment less the platform's fee.
  await day.confirmed(day.withdraw(stall, 49_75));
}

/** Refunds in every state, to balances and banks. */
async function refund(
  day: Shopping,
  paid: { readonly fromBalance: ReplyBody; readonly byBank: ReplyBody; readonly gone: ReplyBody },
): Promise<void> {
  await day.confirmed(day.refund(paid.fromBalance, 20_00));
  await day.refund(paid.fromBalance, 3_00);
  await day.declined(day.refund(paid.fromBalance, 4_00));
  await day.confirmed(day.refund(paid.byBank, 5_00));
  const sent = await day.confirmed(day.refund(paid.byBank, 6_00));
  await day.simulate('refund.completed', sent.id);
  const rejected = await day.confirmed(day.refund(paid.byBank, 7_00));
  await day.simulate('refund.failed', rejected.id);
  await day.confirmed(day.refund(paid.gone, 8_00));
  await day.refund(paid.gone, 9_00);
}

/** An account whose rest was paid out; nothing is left of it but its history. */
async function closeDown(server: TestServer, day: Shopping): Promise<Person> {
  const ben = await server.api.banked('individual');
  await server.api.fund(ben, 25_00);
  await day.close(ben);
  await server.workers.jobs.runDueJobs(server.tenant.tenantId);
  await day.simulate('account.closed', ben.accountId);
  return ben;
}

/** Its making is a browser's; what is proven of the book is that it belongs to somebody. */
async function keepPasskey(pool: pg.Pool, tenantId: string, { customerId }: Person): Promise<void> {
  await pool.query(
    `insert into passkeys (tenant_id, id, customer_id, credential_id, public_key, counter,
        transports, created_at)
      values ($1, gen_random_uuid(), $2, 'credential', 'key', 0, 'internal', now())`,
    [tenantId, uuid('customer', customerId)],
  );
}

/**
 * The book of a small business day, written by the service without its workers, so that what waits
 * goes on waiting: records in every state, live sessions of every flow, a deadline, a closed account.
 */
export async function openSampleLedger(): Promise<TestServer> {
  const server = await startTestServer({ manual: true });
  const { pool } = server.service;
  const { tenantId } = server.tenant;
  await server.engine.change({ fees });
  await pool.query('update tenants set delivers = true, revision = revision + 1');
  const ana = await server.api.banked('individual');
  const shop = await server.api.banked('business', 'savings');
  const stall = await server.api.banked('business');
  const settled = await openLoad(server, ana, 2_000_00);
  await server.engine.run(answer('confirm'), { id: settled });
  await server.engine.run(settleLoad, { id: settled });
  await openLoad(server, ana, 5_00);

  const day = openShopping(server);
  const fromBalance = await payFromBalance(day, ana, shop);
  const byBank = await payByBank(day, ana, shop);
  const gone = await day.confirmed(day.pay(ana, stall, 50_00));
  await withdraw(day, ana, stall);
  await refund(day, { fromBalance, byBank, gone });
  const ben = await closeDown(server, day);
  await disputeSome(server, {
    ana,
    payment: fromBalance,
    gone: ben,
    pay: (amount) => day.confirmed(day.pay(ana, shop, amount)),
    refund: day.refund,
    simulate: day.simulate,
  });
  for (const flow of ['pin_reset', 'contact_change', 'terms_acceptance'])
    await day.openFlow(flow, ana);
  const { token } = await day.openFlow('terms_acceptance', shop);
  await server.engine.run(openFlow, { token });
  await keepPasskey(pool, tenantId, ana);
  // Last of all, since a simulation runs what is due: its order still waits for the bank.
  await server.engine.run(answer('confirm'), { id: await openLoad(server, ana, 6_00) });
  await deliver(pool, tenantId);
  return server;
}
