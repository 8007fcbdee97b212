import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Confirmation, Place } from '@tenant-payments/contract/hosted/view.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import type { Kysely } from 'kysely';
import { assert } from '../../../core/fail.ts';
import { displayName } from '../../../resources/customers/names.ts';
import type { Database } from '../../../resources/database.ts';
import { feesOf } from '../../../resources/payments/fees.ts';

/** What a customer reads before confirming: who, how much, from where, at what cost. */

interface Asked {
  readonly db: Kysely<Database>;
  readonly tenantId: string;
}

const balance: Place = { type: 'balance', institution_name: null, account_mask: null };

async function bank({ db, tenantId }: Asked, id: string | null): Promise<Place | null> {
  const link = await db
    .selectFrom('linked_accounts')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select(['institution_name', 'account_mask'])
    .executeTakeFirst();
  return link ? { type: 'bank_account', ...link } : null;
}

async function nameOf({ db, tenantId }: Asked, customerId: string): Promise<string> {
  const customer = await db
    .selectFrom('customers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', customerId)
    .select(['type', 'given_name', 'family_name', 'legal_name', 'trading_name'])
    .executeTakeFirst();
  return customer ? displayName(customer) : '';
}

/** What most records have nothing to say of. */
const plain = {
  fees: [],
  counterparty: null,
  collection_point: null,
  description: null,
  order_reference: null,
  invoice_reference: null,
} as const;

async function payment(asked: Asked, id: string): Promise<Confirmation> {
  const { db, tenantId } = asked;
  const row = await db
    .selectFrom('payments')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
  assert(row, 'a session confirms a record that is there');
  const [counterparty, from, request] = await Promise.all([
    nameOf(asked, row.payee_customer_id),
    row.source === 'balance' ? balance : bank(asked, row.linked_account_id),
    db
      .selectFrom('payment_requests')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', row.payment_request_id)
      .selectAll()
      .executeTakeFirst(),
  ]);
  const fees = feesOf(row);
  return {
    type: 'payment',
    id: publicId('payment', id),
    status: row.status,
    failure_code: row.failure_code,
    amount: row.amount,
    fees: [...fees.shown],
    total: row.amount + fees.payerCents,
    counterparty,
    collection_point: request?.collection_name ?? null,
    description: row.description,
    order_reference: row.order_reference,
    invoice_reference: row.invoice_reference,
    from: from ?? balance,
    to: null,
  };
}

/** What moves between an account and a bank: all but its direction. */
async function transfer(asked: Asked, table: 'loads' | 'withdrawals', id: string) {
  const row = await asked.db
    .selectFrom(table)
    .where('tenant_id', '=', asked.tenantId)
    .where('id', '=', id)
    .select(['status', 'failure_code', 'amount', 'linked_account_id'])
    .executeTakeFirst();
  assert(row, 'a session confirms a record that is there');
  const { linked_account_id, ...facts } = row;
  return {
    account: await bank(asked, linked_account_id),
    shown: { ...plain, fees: [], ...facts, total: facts.amount },
  };
}

async function load(asked: Asked, id: string): Promise<Confirmation> {
  const { account, shown } = await transfer(asked, 'loads', id);
  return {
    type: 'load',
    id: publicId('load', id),
    ...shown,
    from: account ?? balance,
    to: balance,
  };
}

async function withdrawal(asked: Asked, id: string): Promise<Confirmation> {
  const { account, shown } = await transfer(asked, 'withdrawals', id);
  return {
    type: 'withdrawal',
    id: publicId('withdrawal', id),
    ...shown,
    from: balance,
    to: account,
  };
}

async function refund(asked: Asked, id: string): Promise<Confirmation> {
  const row = await asked.db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.tenant_id', '=', 'refunds.tenant_id')
        .onRef('payments.id', '=', 'refunds.payment_id'),
    )
    .where('refunds.tenant_id', '=', asked.tenantId)
    .where('refunds.id', '=', id)
    .select([
      'refunds.status',
      'refunds.failure_code',
      'refunds.amount',
      'refunds.payer_customer_id',
      'refunds.linked_account_id',
      'payments.order_reference',
      'payments.invoice_reference',
      'payments.description',
    ])
    .executeTakeFirst();
  assert(row, 'a session confirms a record that is there');
  const { payer_customer_id, linked_account_id, ...facts } = row;
  const [counterparty, account] = await Promise.all([
    nameOf(asked, payer_customer_id),
    linked_account_id === null ? null : bank(asked, linked_account_id),
  ]);
  return {
    type: 'refund',
    id: publicId('refund', id),
    ...plain,
    fees: [],
    ...facts,
    total: facts.amount,
    counterparty,
    from: balance,
    to: account ?? balance,
  };
}

export const confirmationOf: Readonly<
  Record<TargetType, (asked: Asked, id: string) => Promise<Confirmation>>
> = { payment, load, withdrawal, refund };
