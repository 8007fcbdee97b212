import { digitsOf } from '@tenant-payments/contract/core/ids.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Aggregator } from '../rails/aggregator.ts';
import type { BankInstruction, OwnAccount } from '../rails/bank.ts';
import type { Address } from '../rails/identity.ts';
import { expiryOf, type HandOverJob, handOverJob, purposeOf } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';
import { requestOf } from '../rails/request_uses.ts';
import type { IdentityVault } from '../resources/identity/vault.ts';
import {
  type AskedNumbers,
  numbersOf,
  openReference,
} from '../resources/linked_accounts/numbers.ts';
import { type InForceRow, openOwnBank } from '../resources/own_bank_accounts/table.ts';
import {
  counterpartyOf,
  linkOf,
  orderHolder,
  orderMerchant,
  orderRemittance,
  orderTenant,
} from './order_party.ts';

export interface OrderSources {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  /** The aggregator, which gives numbers that no order has needed yet. */
  readonly aggregator?: Pick<Aggregator, 'numbers'>;
  /** The vault, which has addresses; absent or null: no order has one. */
  readonly identities?: Pick<IdentityVault, 'open'> | null;
}

export interface Waiting {
  readonly order: BankInstruction;
  /** Numbers that this order was the first to need. */
  readonly asked: AskedNumbers | null;
  /** A hand-over before this one got no clear answer. */
  readonly isUnclear: boolean;
  /** The job that it is handed over by. */
  readonly job: HandOverJob;
  readonly providerId: string | null;
}

/** The Tenant's own accounts in force, few, in the statement that reads the order. */
const ownInForce = sql<readonly InForceRow[] | null>`(
  select jsonb_agg(jsonb_build_object('role', o.role, 'in_force', o.in_force, 'number_sealed', o.number_sealed))
  from own_bank_accounts o where o.tenant_id = i.tenant_id and o.in_force is not null)`;

/** Whether the vault has the address of the customer whom an order names. */
const addressIsKept = sql<boolean>`exists (select from identity_fields f
  where f.tenant_id = l.tenant_id and f.record_id = l.customer_id and f.name = 'address')`;

/** All that an order says, in one statement. */
const readWaiting = ({ db }: OrderSources, tenantId: string, id: string) =>
  db
    .selectFrom('instructions as i')
    .leftJoin('linked_accounts as l', (join) =>
      join.onRef('l.tenant_id', '=', 'i.tenant_id').onRef('l.id', '=', 'i.linked_account_id'),
    )
    .leftJoin('payments as p', (join) =>
      join.onRef('p.tenant_id', '=', 'i.tenant_id').onRef('p.id', '=', 'i.source_id'),
    )
    .where('i.tenant_id', '=', tenantId)
    .where('i.id', '=', id)
    .where('i.status', 'in', ['waiting', 'unclear'])
    .select([
      'i.status',
      'i.provider_id',
      'i.kind',
      'i.purpose',
      'i.amount',
      'i.source_type',
      'i.source_id',
      'i.linked_account_id',
      'i.request_expires_at',
      'i.return_of',
      'i.created_at',
      'l.customer_id',
      'l.reference_sealed',
      'l.numbers_sealed',
      'l.numbers_changed_at',
      'p.type as payment_type',
      'p.invoice_reference',
      addressIsKept.as('address_is_kept'),
      orderHolder.as('holder'),
      orderMerchant.as('merchant'),
      orderTenant.as('tenant'),
      ownInForce.as('own'),
    ])
    .executeTakeFirst();

/** The address of the customer whom an order names, as the vault keeps it; each opening is a row of the audit. */
async function addressOf(
  { identities }: OrderSources,
  tenantId: string,
  customerId: string,
  orderId: string,
): Promise<Address | null> {
  const opening = {
    subject: 'customer',
    id: customerId,
    fields: ['address'],
    by: 'bank',
    for: orderId,
  } as const;
  return (await identities?.open(tenantId, opening))?.address ?? null;
}

/** The order as the bank needs it; null when it has been sent or withdrawn. */
export async function waitingOrder(
  sources: OrderSources,
  tenantId: string,
  id: string,
): Promise<Waiting | null> {
  const { vault } = sources;
  const found = await readWaiting(sources, tenantId, id);
  if (!found) return null;
  const { kind, amount, return_of } = found;
  const purpose = purposeOf(found);
  const ends = accountsOfOrder(kind, purpose);
  const own = (role: typeof ends.from): OwnAccount | null => {
    if (role === null) return null;
    const row = found.own?.find((one) => one.role === role);
    return { role, account: row ? openOwnBank(vault, tenantId, row) : null };
  };
  const link = linkOf(found);
  const { account, asked } = link
    ? await numbersOf(sources, tenantId, link)
    : { account: null, asked: null };
  const address =
    link && found.address_is_kept ? await addressOf(sources, tenantId, link.customer_id, id) : null;
  const order: BankInstruction = {
    tenantId,
    id,
    endToEndId: digitsOf(id),
    kind,
    purpose,
    request: requestOf(found, settingsOf(tenantId, found.tenant)),
    amount,
    from: own(ends.from),
    to: own(ends.to),
    expiresAt: expiryOf(found),
    reference: link && openReference(vault, tenantId, link),
    counterparty: link && counterpartyOf(link.holder, account, address),
    remittance: orderRemittance(tenantId, found),
    returnOf: return_of,
  };
  const { status, provider_id: providerId } = found;
  return { order, asked, isUnclear: status === 'unclear', job: handOverJob(found), providerId };
}
