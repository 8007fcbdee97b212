import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { MoneySource } from '@tenant-payments/contract/resources/bank_messages.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import { sql } from 'kysely';
import type { Address } from '../rails/identity.ts';
import type { AccountRef, Counterparty } from '../rails/party.ts';
import { remittanceOf } from '../rails/remittance.ts';
import { displayName, fullName, type NameFields } from '../resources/customers/names.ts';
import type { NumberedLink } from '../resources/linked_accounts/numbers.ts';

const named = (as: 'c' | 'm') =>
  sql.raw(`jsonb_build_object('type', ${as}.type, 'given_name', ${as}.given_name,
    'family_name', ${as}.family_name, 'legal_name', ${as}.legal_name, 'trading_name', ${as}.trading_name)`);

/** The holder of the bank account that an order names, in the statement that reads the order `i` and its link `l`. */
export const orderHolder = sql<NameFields | null>`(select ${named('c')} from customers c
  where c.tenant_id = l.tenant_id and c.id = l.customer_id)`;

/** The merchant of an order's record; null: it has none. */
export const orderMerchant = sql<NameFields | null>`(select ${named('m')} from customers m
  where m.tenant_id = i.tenant_id and m.id = case i.source_type
    when 'payment' then (select p.payee_customer_id from payments p
      where p.tenant_id = i.tenant_id and p.id = i.source_id)
    when 'refund' then (select r.merchant_customer_id from refunds r
      where r.tenant_id = i.tenant_id and r.id = i.source_id) end)`;

/** The Tenant of an order. */
export const orderTenant = sql<SettingsRow>`(select jsonb_build_object('name', t.name, 'settings', t.settings)
  from tenants t where t.tenant_id = i.tenant_id)`;

/** The customer as the bank of an order is told. */
export const counterpartyOf = (
  holder: NameFields,
  account: AccountRef | null,
  address: Address | null,
): Counterparty => ({
  name: fullName(holder),
  kind: holder.type,
  address,
  account,
});

const kindOf = (source: MoneySource): IdKind => source;

/** The text of an order that the customer reads in their bank's app (rules/linking#24). */
export function orderRemittance(
  tenantId: string,
  order: {
    readonly source_type: MoneySource;
    readonly source_id: string;
    readonly merchant: NameFields | null;
    readonly tenant: SettingsRow;
  },
): string {
  const { source_type, source_id, merchant, tenant } = order;
  const ours = () => settingsOf(tenantId, tenant).branding.name;
  const name = (merchant && displayName(merchant)) || ours();
  return remittanceOf(name, publicId(kindOf(source_type), source_id));
}

interface LinkColumns {
  readonly linked_account_id: string | null;
  readonly customer_id: string | null;
  readonly reference_sealed: string | null;
  readonly numbers_sealed: string | null;
  readonly numbers_changed_at: NumberedLink['numbers_changed_at'];
  readonly holder: NameFields | null;
}

/** The link that an order names; null: none. */
export function linkOf(
  found: LinkColumns,
): (NumberedLink & { readonly holder: NameFields }) | null {
  const { linked_account_id: id, customer_id, holder, ...sealed } = found;
  if (id === null) return null;
  assert(customer_id !== null && holder !== null, 'an order names a link of a customer');
  const { reference_sealed, numbers_sealed, numbers_changed_at } = sealed;
  return { id, customer_id, holder, reference_sealed, numbers_sealed, numbers_changed_at };
}
