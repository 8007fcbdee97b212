import { randomUUID } from 'node:crypto';
import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { createLoad } from '../../service/resources/loads/create.ts';
import { settleLoad } from '../../service/resources/loads/moves.ts';
import type { ReplyBody } from './http.ts';
import { answer, type House, openHouse, type Person, uuid } from './people.ts';

const fee = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
/** One that each side bears, so that no amount of a movement equals another. */
const fees: FeeRule[] = [
  { ...fee, type: 'platform', basis_points: 50, fixed: 0, paid_by: 'payee' },
  { ...fee, type: 'tenant', basis_points: 0, fixed: 25, paid_by: 'payer' },
];

/** What a Tenant's server and its customers do over HTTP, each POST under a key of its own. */
function openShopping({ test: { call } }: House) {
  async function post(path: string, body: object | undefined, status: number): Promise<ReplyBody> {
    const reply = await call('POST', path, { body, key: randomUUID() });
    if (reply.status !== status) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
  const simulate = (event: string, id: string) =>
    post(`/v1/sandbox/simulate/${event}`, { object_id: id }, 202);
  const pay = (payer: Person, how: object): Promise<ReplyBody> =>
    post('/v1/payments', { payer_customer_id: payer.customerId, source: 'balance', ...how }, 201);
  return {
    pay: (payer: Person, payee: Person, amount: number) =>
      pay(payer, { payee_customer_id: payee.customerId, amount }),
    payCode: (payer: Person, { qr_payload }: ReplyBody) => pay(payer, { qr_payload }),
    confirm: (record: ReplyBody) => simulate('session.completed', record.id),
    leave: (record: ReplyBody) => simulate('session.canceled', record.id),
    cancel: (payment: ReplyBody) => post(`/v1/payments/${payment.id}/cancel`, undefined, 200),
    request: (merchant: Person, what: object) =>
      post('/v1/payment-requests', { merchant_customer_id: merchant.customerId, ...what }, 201),
    cancelRequest: (request: ReplyBody) =>
      post(`/v1/payment-requests/${request.id}/cancel`, undefined, 200),
  };
}

/** A load as it waits for its customer. */
async function openLoad({ run }: House, { customerId }: Person, amount: number): Promise<string> {
  const load = await run(createLoad, { customer_id: customerId, amount });
  return uuid('load', load.id);
}

/** Deliveries as a dispatcher leaves them: one that arrived, one whose receiver was down. */
async function deliver(pool: pg.Pool, tenantId: string): Promise<void> {
  const answers = [
    { place: 0, status: 'delivered', response: 204, next: null },
    { place: 1, status: 'retrying', response: 500, next: '2026-01-20T16:00:00Z' },
  ];
  for (const { place, status, response, next } of answers) {
    const { rows } = await pool.query<{ event_id: string; created_at: string }>(
      `update deliveries set status = $2, attempts = 1, first_attempt_at = created_at,
        last_attempt_at = created_at, last_response_status = $3, next_attempt_at = $4, due_at = $4,
        wake_at = $4
      where tenant_id = $1 and event_id = (select event_id from deliveries where tenant_id = $1
        order by event_id limit 1 offset $5) returning event_id, created_at`,
      [tenantId, status, response, next, place],
    );
    await pool.query(
      `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
        duration_ms) values ($1, $2, 1, $3, 'https://shop.example/hook', '{}', $4, 12)`,
      [tenantId, rows[0]?.event_id, rows[0]?.created_at, response],
    );
  }
}

/**
 * The book of a small business day, written by the service without its workers, so that what waits
 * goes on waiting: records in every state that needs no refund, a live session, a deadline.
 */
export async function openSampleBook(): Promise<House> {
  const house = await openHouse();
  const { pool } = house.test.service;
  const { tenantId } = house.test.tenant;
  await house.change({ fees });
  await pool.query('update tenants set delivers = true, revision = revision + 1');
  const ana = await house.approved('individual', 'standard');
  const shop = await house.approved('business', 'savings');
  const settled = await openLoad(house, ana, 2_000_00);
  await house.run(answer('confirm'), { id: settled });
  await house.run(settleLoad, { id: settled });
  await openLoad(house, ana, 5_00);

  const day = openShopping(house);
  await day.confirm(await day.pay(ana, shop, 100_00));
  await day.pay(ana, shop, 10_00);
  await day.cancel(await day.pay(ana, shop, 20_00));
  await day.leave(await day.pay(ana, shop, 30_00));
  await day.confirm(
    await day.payCode(ana, await day.request(shop, { type: 'dynamic', amount: 18_50 })),
  );
  await day.request(shop, { type: 'dynamic', amount: 7_00 });
  await day.cancelRequest(await day.request(shop, { type: 'dynamic', amount: 8_00 }));
  const counter = { reference: 'counter-1', name: 'Counter 1' };
  await day.request(shop, { type: 'static', collection_point: counter });
  // Last of all, since a simulation runs what is due: its order still waits for the bank.
  await house.run(answer('confirm'), { id: await openLoad(house, ana, 6_00) });
  await deliver(pool, tenantId);
  return house;
}
