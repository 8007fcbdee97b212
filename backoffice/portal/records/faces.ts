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

/** Given as a value: a build leaves the text of a statement as it is, and reads it as ASCII. */
const lastOf = ' …';
const inWords = (column: string) => sql`replace(${sql.ref(column)}, '_', ' ')`;
const bankTransfer: FaceColumns = {
  party: sql`r.customer_id`,
  bank: sql`(select l.institution_name || ${lastOf} || l.account_mask from linked_accounts l
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
    bank: sql`r.institution_name || ${lastOf} || r.account_mask`,
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
  readonly tenant_id: string;
  readonly id: string;
  readonly party: string | null;
  readonly other: string | null;
  readonly label: string | null;
  readonly institution_name: string | null;
  readonly amount: number | null;
  readonly status: string | null;
  readonly at: Face['at'];
}

type Db = ReadContext['db'];
const nothing = sql`null`;

/** A record, and whose it is. */
interface Named {
  readonly tenantId: string;
  readonly uuid: string;
}
export interface Known extends Named {
  readonly kind: TableKind;
}

/** Records as a table `k` to join. */
const keys = (named: readonly Named[]) => sql`unnest(
  ${named.map(({ tenantId }) => tenantId)}::uuid[], ${named.map(({ uuid }) => uuid)}::uuid[]
) k(tenant_id, id)`;

async function rowsOf(db: Db, kind: TableKind, named: readonly Named[]) {
  const { party, other, label, bank, amount, status, at } = faces[kind];
  const { rows } = await sql<FaceRow>`select r.tenant_id, r.id, ${party} as party,
      ${other ?? sql`null::uuid`} as other, ${label ?? nothing} as label,
      ${bank ?? nothing} as institution_name, ${amount ?? sql`null::bigint`} as amount,
      ${status ?? sql`r.status`} as status, ${at ?? sql`r.created_at`} as at
    from ${keys(named)} join ${sql.table(tableOf[kind].name)} r
      on r.tenant_id = k.tenant_id and r.id = k.id`.execute(db);
  return rows;
}

/** A person by the full name, a business by the name of its shop. */
const knownAs = (named: NameFields): string =>
  named.type === 'business' ? displayName(named) : fullName(named);

const keyOf = (tenantId: string, uuid: string) => `${tenantId} ${uuid}`;

async function partiesOf(db: Db, rows: readonly FaceRow[]) {
  const named = rows.flatMap(({ tenant_id: tenantId, party, other }) =>
    [party, other].flatMap((uuid) => (uuid === null ? [] : [{ tenantId, uuid }])),
  );
  const distinct = new Map(named.map((one) => [keyOf(one.tenantId, one.uuid), one]));
  const found = await sql<NameFields & { readonly tenant_id: string; readonly id: string }>`
    select c.tenant_id, c.id, c.type, c.given_name, c.family_name, c.legal_name, c.trading_name
    from ${keys([...distinct.values()])}
      join customers c on c.tenant_id = k.tenant_id and c.id = k.id`.execute(db);
  return new Map(
    found.rows.map((row) => [
      keyOf(row.tenant_id, row.id),
      { id: publicId('customer', row.id), display_name: knownAs(row) },
    ]),
  );
}

/** The faces of these records, each with its Tenant, in no order; unknown ones are left out. */
export async function facesOf(db: Db, known: readonly Known[]) {
  const kinds = [...new Set(known.map(({ kind }) => kind))];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const rows = await rowsOf(
        db,
        kind,
        known.filter((one) => one.kind === kind),
      );
      return rows.map((row) => ({ kind, row }));
    }),
  );
  const rows = found.flat();
  const parties = await partiesOf(
    db,
    rows.map(({ row }) => row),
  );
  const partyOf = (tenantId: string, uuid: string | null) =>
    uuid === null ? null : (parties.get(keyOf(tenantId, uuid)) ?? null);
  return rows.map(({ kind, row: { tenant_id: tenantId, id, party, other, ...shown } }) => {
    const face: Face = {
      id: publicId(kind, id),
      resource: kind,
      party: partyOf(tenantId, party),
      other: partyOf(tenantId, other),
      ...shown,
    };
    return { tenantId, face };
  });
}

/** The records that are asked for. @throws ApiError parameter_invalid for too many ids */
function asked(tenantId: string, ids: string): Known[] {
  const given = [...new Set(ids.split(','))];
  if (given.length > maximumFaces)
    throw fail('parameter_invalid', { param: 'ids', details: { maximum: maximumFaces } });
  return given.flatMap((id) => {
    const named = anyIdOf(id);
    return named !== null && isTableKind(named.kind)
      ? [{ tenantId, kind: named.kind, uuid: named.uuid }]
      : [];
  });
}

/**
 * GET /portal/api/faces: what each of these records is, in no order. An unknown id, one of a kind without a face,
 * and another Tenant's are left out.
 * @throws ApiError parameter_invalid for more than `maximumFaces` ids
 */
export async function listFaces(
  { db, tenantId }: ReadContext,
  { ids }: { ids: string },
): Promise<Page<Face>> {
  const found = await facesOf(db, asked(tenantId, ids));
  return wholeList(found.map(({ face }) => face));
}
