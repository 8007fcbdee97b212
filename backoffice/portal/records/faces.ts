import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { anyIdOf, publicId } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  displayName,
  fullName,
  type NameFields,
} from '@tenant-payments/service/resources/customers/names.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Face } from '../../contract/records/faces.ts';
import { isTableKind, type TableKind, tableOf } from './kinds.ts';

/** The columns of a kind's face, in SQL on its table `r`. */
interface FaceColumns {
  /** The customer whom the record is about. */
  readonly party: RawBuilder<unknown>;
  /** The customer on the other side. */
  readonly other?: RawBuilder<unknown>;
  readonly label?: RawBuilder<unknown>;
  readonly bank?: RawBuilder<unknown>;
  readonly amount?: RawBuilder<unknown>;
  readonly status?: RawBuilder<unknown>;
  readonly at?: RawBuilder<unknown>;
}

const inWords = (column: string) => sql`replace(${sql.ref(column)}, '_', ' ')`;
const bankTransfer: FaceColumns = {
  party: sql`r.customer_id`,
  bank: sql`(select l.institution_name || ' …' || l.account_mask from linked_accounts l
    where l.tenant_id = r.tenant_id and l.id = r.linked_account_id)`,
  amount: sql`r.amount`,
};

const faces: Readonly<Record<TableKind, FaceColumns>> = {
  customer: { party: sql`r.id`, label: sql`r.external_ref` },
  account: {
    party: sql`r.customer_id`,
    amount: sql`(select b.available + b.pending_outgoing + b.earmarked from balances b
      where b.tenant_id = r.tenant_id and b.account_id = r.id)`,
    at: sql`r.opened_at`,
  },
  session: { party: sql`r.customer_id`, label: inWords('r.flow') },
  linked_account: {
    party: sql`r.customer_id`,
    bank: sql`r.institution_name || ' …' || r.account_mask`,
  },
  load: bankTransfer,
  withdrawal: bankTransfer,
  payment_request: {
    party: sql`r.merchant_customer_id`,
    label: sql`coalesce(r.order_reference, r.collection_reference)`,
    amount: sql`r.amount`,
  },
  payment: {
    party: sql`r.payer_customer_id`,
    other: sql`r.payee_customer_id`,
    label: sql`coalesce(r.order_reference, r.invoice_reference)`,
    amount: sql`r.amount`,
  },
  refund: {
    party: sql`r.merchant_customer_id`,
    other: sql`r.payer_customer_id`,
    label: inWords('r.reason'),
    amount: sql`r.amount`,
  },
  dispute: { party: sql`r.customer_id`, label: inWords('r.type'), amount: sql`r.disputed_cents` },
  statement: {
    party: sql`(select a.customer_id from accounts a
      where a.tenant_id = r.tenant_id and a.id = r.account_id)`,
    label: sql`r.period_start || ' to ' || r.period_end`,
    amount: sql`r.closing_balance`,
    status: sql`null`,
    at: sql`r.available_at`,
  },
  owner: { party: sql`r.customer_id`, label: inWords('r.role') },
  document_acceptance: {
    party: sql`r.customer_id`,
    label: sql`${inWords('r.document_type')} || ' ' || r.document_version`,
  },
};

interface FaceRow {
  readonly id: string;
  readonly party: string | null;
  readonly other: string | null;
  readonly label: string | null;
  readonly institution_name: string | null;
  readonly amount: number | null;
  readonly status: string | null;
  readonly at: Face['at'];
}

type Context = Pick<ReadContext, 'db' | 'tenantId'>;
const nothing = sql`null`;

async function rowsOf({ db, tenantId }: Context, kind: TableKind, uuids: readonly string[]) {
  const { party, other, label, bank, amount, status, at } = faces[kind];
  const { rows } = await sql<FaceRow>`select r.id, ${party} as party,
      ${other ?? sql`null::uuid`} as other, ${label ?? nothing} as label,
      ${bank ?? nothing} as institution_name, ${amount ?? sql`null::bigint`} as amount,
      ${status ?? sql`r.status`} as status, ${at ?? sql`r.created_at`} as at
    from ${sql.table(tableOf[kind].name)} r
    where r.tenant_id = ${tenantId} and r.id = any(${uuids}::uuid[])`.execute(db);
  return rows.map((row) => ({ kind, row }));
}

/** A person by the full name, a business by the name of its shop. */
const knownAs = (named: NameFields): string =>
  named.type === 'business' ? displayName(named) : fullName(named);

async function partiesOf({ db, tenantId }: Context, uuids: readonly string[]) {
  const { rows } = await sql<NameFields & { readonly id: string }>`
    select id, type, given_name, family_name, legal_name, trading_name from customers
    where tenant_id = ${tenantId} and id = any(${uuids}::uuid[])`.execute(db);
  return new Map(
    rows.map((row) => [row.id, { id: publicId('customer', row.id), display_name: knownAs(row) }]),
  );
}

/** The uuids of each kind that has faces. @throws ApiError parameter_invalid for too many ids */
function asked(ids: string): Map<TableKind, string[]> {
  const given = [...new Set(ids.split(','))];
  if (given.length > maximumFaces)
    throw fail('parameter_invalid', { param: 'ids', details: { maximum: maximumFaces } });
  const byKind = new Map<TableKind, string[]>();
  for (const id of given) {
    const named = anyIdOf(id);
    if (named === null || !isTableKind(named.kind)) continue;
    byKind.set(named.kind, [...(byKind.get(named.kind) ?? []), named.uuid]);
  }
  return byKind;
}

/**
 * GET /portal/api/faces: what each of these records is, in no order. An unknown id, one of a kind without a face,
 * and another Tenant's are left out.
 * @throws ApiError parameter_invalid for more than `maximumFaces` ids
 */
export async function listFaces(
  context: ReadContext,
  { ids }: { ids: string },
): Promise<Page<Face>> {
  const byKind = [...asked(ids)];
  const found = (
    await Promise.all(byKind.map(([kind, uuids]) => rowsOf(context, kind, uuids)))
  ).flat();
  const named = found.flatMap(({ row }) => [row.party, row.other].filter((one) => one !== null));
  const parties = await partiesOf(context, [...new Set(named)]);
  const partyOf = (uuid: string | null) => (uuid === null ? null : (parties.get(uuid) ?? null));
  return wholeList(
    found.map(({ kind, row: { id, party, other, ...shown } }) => ({
      id: publicId(kind, id),
      resource: kind,
      party: partyOf(party),
      other: partyOf(other),
      ...shown,
    })),
  );
}
