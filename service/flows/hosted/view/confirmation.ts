import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Confirmation, Place } from '@tenant-payments/contract/hosted/view.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { readColumns } from '@tenant-payments/engine/table.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import { displayName } from '../../../resources/customers/names.ts';
import { paymentRequests } from '../../../resources/payment_requests/table.ts';
import { feesOf } from '../../../resources/payments/fees.ts';
import { payments } from '../../../resources/payments/table.ts';

/** The summary that a customer reads before confirming: who, how much, from where, at what cost. */

interface Context {
  readonly db: Kysely<Database>;
  readonly tenantId: string;
}

const balance: Place = { type: 'balance', institution_name: null, account_mask: null };

async function bank({ db, tenantId }: Context, id: string | null): Promise<Place | null> {
  const link = await db
    .selectFrom('linked_accounts')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select(['institution_name', 'account_mask'])
    .executeTakeFirst();
  return link ? { type: 'bank_account', ...link } : null;
}

async function nameOf({ db, tenantId }: Context, customerId: string): Promise<string> {
  const customer = await db
    .selectFrom('customers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', customerId)
    .select(['type', 'given_name', 'family_name', 'legal_name', 'trading_name'])
    .executeTakeFirst();
  return customer ? displayName(customer) : '';
}

/** Fields that most records leave empty. */
const plain = {
  fees: [],
  counterparty: null,
  is_requested: false,
  collection_point: null,
  description: null,
  order_reference: null,
  invoice_reference: null,
} as const;

async function payment(context: Context, id: string): Promise<Confirmation> {
  const { db, tenantId } = context;
  const row = await db
    .selectFrom('payments')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .select(readColumns(payments))
    .executeTakeFirst();
  assert(row, 'a session confirms a record that is there');
  const [counterparty, from, request] = await Promise.all([
    nameOf(context, row.payee_customer_id),
    row.source === 'balance' ? balance : bank(context, row.linked_account_id),
    db
      .selectFrom('payment_requests')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', row.payment_request_id)
      .select(readColumns(paymentRequests))
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
    is_requested: row.payment_request_id !== null,
    collection_point: request?.collection_name ?? null,
    description: row.description,
    order_reference: row.order_reference,
    invoice_reference: row.invoice_reference,
    from: from ?? balance,
    to: null,
  };
}

/** A load or a withdrawal, without its direction. */
async function transfer(context: Context, table: 'loads' | 'withdrawals', id: string) {
  const row = await context.db
    .selectFrom(table)
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', id)
    .select(['status', 'failure_code', 'amount', 'linked_account_id'])
    .executeTakeFirst();
  assert(row, 'a session confirms a record that is there');
  const { linked_account_id, ...facts } = row;
  return {
    account: await bank(context, linked_account_id),
    shown: { ...plain, fees: [], ...facts, total: facts.amount },
  };
}

async function load(context: Context, id: string): Promise<Confirmation> {
  const { account, shown } = await transfer(context, 'loads', id);
  return {
    type: 'load',
    id: publicId('load', id),
    ...shown,
    from: account ?? balance,
    to: balance,
  };
}

async function withdrawal(context: Context, id: string): Promise<Confirmation> {
  const { account, shown } = await transfer(context, 'withdrawals', id);
  return {
    type: 'withdrawal',
    id: publicId('withdrawal', id),
    ...shown,
    from: balance,
    to: account,
  };
}

async function refund(context: Context, id: string): Promise<Confirmation> {
  const row = await context.db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.tenant_id', '=', 'refunds.tenant_id')
        .onRef('payments.id', '=', 'refunds.payment_id'),
    )
    .where('refunds.tenant_id', '=', context.tenantId)
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
    nameOf(context, payer_customer_id),
    linked_account_id === null ? null : bank(context, linked_account_id),
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
  Record<TargetType, (context: Context, id: string) => Promise<Confirmation>>
> = { payment, load, withdrawal, refund };
