import { randomUUID } from 'node:crypto';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { openClocks } from '../core/clock.ts';
import { command } from '../core/command.ts';
import { type Engine, startEngine } from '../core/engine.ts';
import { fingerprintOf, keyHashOf } from '../core/idempotency.ts';
import { epochMs } from '../core/instant.ts';
import type { Work } from '../core/work.ts';
import { completeConfirmation } from '../flows/complete.ts';
import { leave, loadSession } from '../flows/session_end.ts';
import { openAccount } from '../resources/accounts/moves.ts';
import { documents } from '../resources/customers/documents_table.ts';
import { owners } from '../resources/customers/owners_table.ts';
import { customers } from '../resources/customers/table.ts';
import { linkedAccounts } from '../resources/linked_accounts/table.ts';
import { createLoad } from '../resources/loads/create.ts';
import { settleLoad } from '../resources/loads/moves.ts';
import { createPaymentRequest } from '../resources/payment_requests/create.ts';
import { cancelPaymentRequest } from '../resources/payment_requests/moves.ts';
import type { QrReading, QrSigner } from '../resources/payment_requests/qr.ts';
import { createPayment } from '../resources/payments/create.ts';
import { cancelPayment } from '../resources/payments/moves.ts';

/** When the first day of these books begins. */
const opening = '2026-11-20T12:00:00.000Z';

/** A signer that signs nothing: the books of these tests read no code of anybody else's. */
const plainSigner: QrSigner = {
  write: (content) => JSON.stringify(content),
  read: (payload) => ({ content: JSON.parse(payload), refusal: null }) satisfies QrReading,
};

function nameOwner(work: Work, customerId: string, name: string): void {
  const owner = work.create(
    owners,
    {
      id: work.newId(),
      customer_id: customerId,
      name,
      role: 'owner_and_control_person',
      ownership_percent: 100,
      invited_at: null,
      created_at: work.now,
    },
    'add',
  );
  work.move(owner, 'approve');
}

/** A customer as identity and aggregator leave one: approved, with an account and a verified link. */
const makePerson = command('make_person', {
  load: async () => null,
  decide: (work, _loaded, { type, name }: { type: 'individual' | 'business'; name: string }) => {
    const id = work.newId();
    const accountId = work.newId();
    const names = { given_name: name, family_name: name, legal_name: name, trading_name: name };
    const customer = work.create(
      customers,
      {
        id,
        type,
        external_ref: name,
        email: `${name}@example.com`,
        mobile_hmac: name,
        mobile_sealed: null,
        mobile_last4: '0100',
        ...names,
        industry: null,
        owners_status: type === 'business' ? 'complete' : null,
        verification_updated_at: work.now,
        retry_available_at: null,
        rejections: 0,
        more_requested: false,
        identity_reference: null,
        account_id: null,
        pin_set: true,
        pin_locked: false,
        onboarding_session_id: null,
        pin_reset_session_id: null,
        contact_change_session_id: null,
        terms_session_id: null,
        created_at: work.now,
      },
      'create',
    );
    work.move(customer, 'submit');
    work.move(customer, 'approve', { set: { account_id: accountId } });
    openAccount(work, accountId, customer);
    const link = work.create(
      linkedAccounts,
      {
        id: work.newId(),
        customer_id: id,
        institution_name: 'Standard Bank',
        account_type: 'checking',
        account_mask: '1234',
        reference_sealed: null,
        can_withdraw: false,
        can_load: false,
        can_pay_by_bank: false,
        offered_withdraw: true,
        offered_load: true,
        verified_at: null,
        withdrawal_hold_until: null,
        failure_code: null,
        created_at: work.now,
      },
      'create',
    );
    const can = { can_withdraw: true, can_load: true, can_pay_by_bank: true };
    work.move(link, 'verify', { set: { ...can, verified_at: work.now } });
    work.create(
      documents,
      {
        id: work.newId(),
        customer_id: id,
        document_type: 'esign_consent',
        document_version: '2026-01',
        accepted_at: work.now,
        channel: 'onboarding',
        created_at: work.now,
      },
      'accept',
    );
    if (type === 'business') nameOwner(work, id, name);
    return { record: customer };
  },
});

const finish = command('finish', {
  load: (read, { id }: { id: string }) => loadSession(read, id),
  decide: (work, { session, target }) => {
    if (target) completeConfirmation(work, session, target);
    return { record: session };
  },
});

const quit = command('quit', {
  load: (read, { id }: { id: string }) => loadSession(read, id),
  decide: (work, { session, target }) => {
    leave(work, session, target);
    return { record: session };
  },
});

interface Shown {
  readonly id: string;
  readonly qr_payload: string;
  readonly confirmation_session: { readonly id: string };
}

const uuidIn = (id: string) =>
  id.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The commands of a small business day, for one tenant of a database. */
export function openDay(engine: Engine, tenantId: string, tick: () => void) {
  async function run<Input, Loaded, Prepared>(
    what: Parameters<typeof engine.submit<Input, Loaded, Prepared>>[0],
    input: Input,
  ): Promise<Shown> {
    tick();
    const idempotency = {
      keyHash: keyHashOf(randomUUID()),
      fingerprint: fingerprintOf('POST', what.name, input),
    };
    const { body } = await engine.submit(what, { tenantId, input, idempotency });
    return JSON.parse(body);
  }
  const confirm = (record: Shown) => run(finish, { id: uuidIn(record.confirmation_session.id) });
  return {
    person: (type: 'individual' | 'business', name: string) => run(makePerson, { type, name }),
    confirm,
    leave: (record: Shown) => run(quit, { id: uuidIn(record.confirmation_session.id) }),
    async load(customer: Shown, amount: number): Promise<Shown> {
      const load = await run(createLoad, { customer_id: customer.id, amount });
      await confirm(load);
      await run(settleLoad, { id: uuidIn(load.id) });
      return load;
    },
    openLoad: (customer: Shown, amount: number) =>
      run(createLoad, { customer_id: customer.id, amount }),
    pay: (payer: Shown, payee: Shown, amount: number) =>
      run(createPayment(plainSigner), {
        payer_customer_id: payer.id,
        payee_customer_id: payee.id,
        amount,
        source: 'balance',
      }),
    payCode: (payer: Shown, request: Shown) =>
      run(createPayment(plainSigner), {
        payer_customer_id: payer.id,
        qr_payload: request.qr_payload,
        source: 'balance',
      }),
    cancel: (payment: Shown) => run(cancelPayment, { id: payment.id }),
    request: (merchant: Shown, amount: number) =>
      run(createPaymentRequest(plainSigner), {
        type: 'dynamic',
        merchant_customer_id: merchant.id,
        amount,
      }),
    counter: (merchant: Shown) =>
      run(createPaymentRequest(plainSigner), {
        type: 'static',
        merchant_customer_id: merchant.id,
        collection_point: { reference: 'counter-1', name: 'Counter 1' },
      }),
    cancelRequest: (request: Shown) => run(cancelPaymentRequest, { id: request.id }),
  };
}

/** A tenant with a fee of each kind, whose endpoint waits for its events. */
export async function insertTenant(pool: pg.Pool): Promise<string> {
  const tenantId = randomUUID();
  const fee = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
  const settings = {
    ...defaultSettings('Book'),
    fees: [
      { ...fee, type: 'platform', basis_points: 50, fixed: 0, paid_by: 'payee' },
      { ...fee, type: 'tenant', basis_points: 0, fixed: 25, paid_by: 'payer' },
    ],
  };
  await pool.query(
    `insert into tenants (tenant_id, name, settings, delivers, created_at)
      values ($1, 'Book', $2, true, $3)`,
    [tenantId, JSON.stringify(settings), opening],
  );
  return tenantId;
}

/** An engine whose clock goes on by a second with each tick. */
export async function startBookkeeper(databaseUrl: string) {
  let nowMs = epochMs(opening);
  const engine = await startEngine({
    databaseUrl,
    environment: 'sandbox',
    clocks: openClocks(() => nowMs),
    seal: (_tenant, _row, value) => JSON.stringify(value),
    revive: async (_tenant, row) => row.body ?? '',
    // The command itself rejects with the error.
    onAlarm: () => {},
  });
  return {
    engine,
    tick: () => {
      nowMs += 1_000;
    },
  };
}

/** Deliveries as a dispatcher leaves them: one that arrived, one whose receiver was down. */
async function deliver(pool: pg.Pool, tenantId: string): Promise<void> {
  const answers = [
    { place: 0, status: 'delivered', response: 204, next: null },
    { place: 1, status: 'retrying', response: 500, next: '2026-11-20T13:00:00Z' },
  ];
  for (const { place, status, response, next } of answers) {
    const { rows } = await pool.query<{ event_id: string }>(
      `update deliveries set status = $2, attempts = 1, first_attempt_at = $3, last_attempt_at = $3,
        last_response_status = $4, next_attempt_at = $5, due_at = $5, wake_at = $5
      where tenant_id = $1 and event_id = (select event_id from deliveries where tenant_id = $1
        order by event_id limit 1 offset $6) returning event_id`,
      [tenantId, status, opening, response, next, place],
    );
    await pool.query(
      `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
        duration_ms) values ($1, $2, 1, $3, 'https://shop.example/hook', '{}', $4, 12)`,
      [tenantId, rows[0]?.event_id, opening, response],
    );
  }
}

/** A small book with a record in every state that a tenant reaches without refunds. */
export async function fillBook(
  pool: pg.Pool,
  { engine, tick }: Awaited<ReturnType<typeof startBookkeeper>>,
): Promise<string> {
  const tenantId = await insertTenant(pool);
  const day = openDay(engine, tenantId, tick);
  const ana = await day.person('individual', 'ana');
  const shop = await day.person('business', 'shop');
  await day.load(ana, 2_000_00);
  await day.confirm(await day.openLoad(ana, 6_00));
  await day.openLoad(ana, 5_00);
  await day.confirm(await day.pay(ana, shop, 100_00));
  await day.pay(ana, shop, 10_00);
  await day.cancel(await day.pay(ana, shop, 20_00));
  await day.leave(await day.pay(ana, shop, 30_00));
  await day.confirm(await day.payCode(ana, await day.request(shop, 18_50)));
  await day.request(shop, 7_00);
  await day.cancelRequest(await day.request(shop, 8_00));
  await day.counter(shop);
  await deliver(pool, tenantId);
  return tenantId;
}
