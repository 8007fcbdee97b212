import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import { feeSweepJob } from '../../../service/resources/accounts/fee_sweep.ts';
import { lockPin } from '../../../service/resources/customers/credentials/pin_lock.ts';
import { createLoad } from '../../../service/resources/loads/create.ts';
import { settleLoad } from '../../../service/resources/loads/moves.ts';
import { openFlow } from '../../../service/resources/sessions/open_flow.ts';
import { deliveryKinds } from '../../../service/webhooks/dispatch/kinds.ts';
import type { Api } from '../api.ts';
import { answer, type Engine } from '../engine.ts';
import type { ReplyBody } from '../http/http.ts';
import { uuid } from '../ids.ts';
import type { Person } from '../person.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts';

const fee = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
/** One that each side bears, so that no amount of a movement equals another. */
const fees: FeeRule[] = [
  { ...fee, type: 'platform', basis_points: 50, fixed: 0, paid_by: 'payee' },
  { ...fee, type: 'tenant', basis_points: 0, fixed: 25, paid_by: 'payer' },
];

/** A load as it waits for its customer. @returns its uuid */
async function openLoad({ run }: Engine, { customerId }: Person, amount: number): Promise<string> {
  const load = await run(createLoad, { customer_id: customerId, amount });
  return uuid('load', load.id);
}

/** Deliveries as a dispatcher leaves them: one that arrived, one whose receiver was down. */
async function deliver({ query }: Engine): Promise<void> {
  const answers = [
    { place: 0, status: 'delivered', response: 204, nextMinutes: null },
    { place: 1, status: 'retrying', response: 500, nextMinutes: 1 },
  ];
  for (const { place, status, response, nextMinutes } of answers) {
    for (const { deliveries, attempts, keys } of Object.values(deliveryKinds)) {
      const names = keys.join(', ');
      const [delivery] = await query(
        `update ${deliveries} set status = $2, attempts = 1, first_attempt_at = created_at,
          last_attempt_at = created_at, last_response_status = $3,
          (next_attempt_at, due_at, wake_at) = (select at, at, at
            from (select created_at + $4 * interval '1 minute' as at) next)
        where tenant_id = $1 and event_id = (select event_id from ${deliveries} where tenant_id = $1
          order by event_id limit 1 offset $5) returning event_id`,
        status,
        response,
        nextMinutes,
        place,
      );
      await query(
        `insert into ${attempts} (${names}, number, at, url, request_headers, response_status,
          duration_ms) select ${names}, 1, created_at, 'https://shop.example/hook', '{}', $3, 12
          from ${deliveries} where tenant_id = $1 and event_id = $2`,
        delivery.event_id,
        response,
      );
    }
  }
}

/** Payments from a balance and their requests, in every state; one of them is partly refunded later. */
async function payFromBalance(api: Api, ana: Person, shop: Person): Promise<ReplyBody> {
  const first = await api.confirmed(api.pay(ana, shop, 100_00));
  await api.pay(ana, shop, 10_00);
  await api.post(`/v1/payments/${(await api.pay(ana, shop, 20_00)).id}/cancel`);
  await api.played(api.pay(ana, shop, 30_00), 'session.canceled');
  await api.confirmed(api.payRequest(ana, await api.request(shop, 18_50)));
  await api.request(shop, 7_00);
  await api.post(`/v1/payment-requests/${(await api.request(shop, 8_00)).id}/cancel`);
  await api.post('/v1/payment-requests', {
    type: 'static',
    merchant_customer_id: shop.customerId,
    collection_point: { reference: 'counter-1', name: 'Counter 1' },
  });
  return first;
}

/** Payments by bank: one completed, one refused, one that claims its request. */
async function payByBank(api: Api, ana: Person, shop: Person): Promise<ReplyBody> {
  const taken = ['session.completed', 'payment.completed'];
  const paid = await api.played(api.payByBank(ana, shop, 40_00), ...taken);
  await api.played(api.payByBank(ana, shop, 41_00), 'session.completed', 'payment.failed');
  await api.confirmed(api.payRequest(ana, await api.request(shop, 42_00), 'bank_account'));
  return paid;
}

/** Withdrawals in every state; what the bank has of the stall is all that the stall had. */
async function withdraw(api: Api, ana: Person, stall: Person): Promise<void> {
  await api.withdraw(ana, 11_00);
  await api.declined(api.withdraw(ana, 12_00));
  await api.played(api.withdraw(ana, 13_00), 'session.completed', 'withdrawal.settled');
  await api.played(api.withdraw(ana, 14_00), 'session.completed', 'withdrawal.failed');
  // The payment less the platform's fee.
  await api.confirmed(api.withdraw(stall, 49_75));
}

/** Refunds in every state, to balances and banks. */
async function refund(
  api: Api,
  paid: { readonly fromBalance: ReplyBody; readonly byBank: ReplyBody; readonly gone: ReplyBody },
): Promise<void> {
  await api.confirmed(api.refund(paid.fromBalance, 20_00));
  await api.refund(paid.fromBalance, 3_00);
  await api.declined(api.refund(paid.fromBalance, 4_00));
  await api.confirmed(api.refund(paid.byBank, 5_00));
  await api.played(api.refund(paid.byBank, 6_00), 'session.completed', 'refund.completed');
  await api.played(api.refund(paid.byBank, 7_00), 'session.completed', 'refund.failed');
  await api.confirmed(api.refund(paid.gone, 8_00));
  await api.refund(paid.gone, 9_00);
}

/** An account whose rest was paid out; nothing is left of it but its history. */
async function closeDown({ api, runJobs }: TestServer): Promise<Person> {
  const ben = await api.funded('individual', 25_00);
  await api.close(ben);
  await runJobs();
  await api.simulate('account.closed', ben.accountId);
  return ben;
}

/**
 * Disputes in every state: a first notice with its earmark and one that is linked to it, one that is
 * investigated, one that is credited, one whose credit waits to be taken back, one that was approved
 * against the shop, and a credit that was sent to the bank of a closed account.
 * @param payment one of Ana's to the shop, of which a part is refunded meanwhile
 * @param gone whose account has closed
 */
async function dispute(
  api: Api,
  { ana, shop, gone, payment }: Record<'ana' | 'shop' | 'gone', Person> & { payment: ReplyBody },
): Promise<void> {
  await api.dispute(ana, { payment_id: payment.id });
  await api.dispute(ana, { payment_id: payment.id, type: 'error' });
  await api.confirmed(api.refund(payment, 2_00));
  async function disputed(amount: number, type: string, ...steps: string[]): Promise<void> {
    const { id } = await api.confirmed(api.pay(ana, shop, amount));
    const events = steps.map((step) => `dispute.${step}`);
    await api.played(api.dispute(ana, { payment_id: id, type }), ...events);
  }
  const credited = ['investigating', 'provisional_credit'];
  await disputed(21_00, 'unauthorized_transfer', 'investigating');
  await disputed(24_00, 'unauthorized_transfer', ...credited);
  await disputed(22_00, 'unauthorized_transfer', ...credited, 'resolved_denied');
  await disputed(23_00, 'purchase_dispute', 'resolved_partial');
  const { data } = await api.get(`/v1/accounts/${gone.accountId}/transactions?type=load`);
  const late = await api.dispute(gone, { transaction_id: data[0].id, type: 'error' });
  for (const step of [...credited, 'resolved_approved'])
    await api.simulate(`dispute.${step}`, late.id);
}

/** Requests to give money back: one that is open, one that is accepted in part. */
async function askBack({ api, runJobs }: TestServer, ana: Person): Promise<void> {
  for (const amount of [15_00, 16_00]) {
    const loading = api.confirmed(api.load(ana, amount));
    await api.played(loading, 'load.settled', 'bank.return_requested');
  }
  const { data } = await api.get('/portal/api/review?limit=100');
  const { id } = data.find(({ resource }: ReplyBody) => resource === 'return-requests');
  await api.post(`/portal/api/review/return-requests/${id}/accept`, { amount: 7_00 });
  await runJobs();
}

/** A browser makes it; the invariants say that it belongs to a customer. */
const keepPasskey = ({ query }: Engine, { customerId }: Person) =>
  query(
    `insert into passkeys (tenant_id, id, customer_id, credential_id, public_key, counter,
        transports, aaguid, created_at)
      values ($1, gen_random_uuid(), $2, 'credential', 'key', 0, 'internal', '', now())`,
    uuid('customer', customerId),
  );

/**
 * The ledger of a small business day, written by the service without its workers, so that what waits
 * goes on waiting: records in every state, live sessions of every flow, a deadline, a closed account.
 */
export async function openSampleLedger(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ manual: true, ...options });
  const { api, engine } = server;
  await engine.change({ fees });
  await engine.query(
    'update tenants set delivers = true, revision = revision + 1 where tenant_id = $1',
  );
  const books = { name: 'Books', url: 'http://127.0.0.1:9/books' };
  await api.post('/portal/api/webhook-endpoints', books);
  const ana = await api.banked('individual');
  const shop = await api.banked('business', 'savings');
  const stall = await api.banked('business');
  const settled = await openLoad(engine, ana, 2_000_00);
  await engine.run(answer('confirm'), { id: settled });
  await engine.run(settleLoad, { id: settled });
  await openLoad(engine, ana, 5_00);

  const fromBalance = await payFromBalance(api, ana, shop);
  // Fees that come later wait for the next one.
  await engine.run(feeSweepJob(server.service), { ref: server.tenant.tenantId });
  const byBank = await payByBank(api, ana, shop);
  const toStall = await api.confirmed(api.pay(ana, stall, 50_00));
  await withdraw(api, ana, stall);
  await refund(api, { fromBalance, byBank, gone: toStall });
  const gone = await closeDown(server);
  await dispute(api, { ana, shop, gone, payment: fromBalance });
  await api.simulate('bank.money_received', ana.customerId);
  await askBack(server, ana);
  for (const flow of ['pin_reset', 'contact_change', 'terms_acceptance'])
    await api.session(flow, ana);
  const { token } = await api.session('terms_acceptance', shop);
  await engine.run(openFlow, { token });
  await keepPasskey(engine, ana);
  // Its customer is told once the job has run.
  await engine.run(lockPin, { id: uuid('customer', stall.customerId) });
  // Last of all, since a simulation runs what is due: its order still waits for the bank.
  await engine.run(answer('confirm'), { id: await openLoad(engine, ana, 6_00) });
  await deliver(engine);
  return server;
}
