import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { KeptProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { addDays, easternDay, startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type listTenantProofs as ofAll,
  type listLedgerProofs as ofOne,
  proofDays,
  type TenantProofs,
} from '../../contract/operate/ledger_proofs.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';
import { acknowledgementsOf } from './acknowledgements.ts';

type Row = Omit<KeptProof, 'object' | 'acknowledgements'> & { readonly tenant_id: string };
type Db = ReadContext['db'];

const columns = sql`tenant_id, id, at, cause, ok, checked, found, violations, duration_ms, process_id,
  since_checkpoint`;

const ofProof = sql`p.tenant_id, p.id, p.at, p.cause, p.ok, p.checked, p.found, p.violations, p.duration_ms,
  p.process_id, p.since_checkpoint`;

type Acknowledgements = Awaited<ReturnType<typeof acknowledgementsOf>>;

const view = ({ tenant_id: _, ...row }: Row, of: Acknowledgements): KeptProof => ({
  ...row,
  object: 'ledger_proof',
  acknowledgements: of(row),
});

/** GET /portal/api/ledger/proofs, newest first. */
export async function listLedgerProofs(
  context: ReadContext,
  { ok, limit = defaultLimit, cursor }: QueryOf<typeof ofOne>,
): Promise<Page<KeptProof>> {
  const { db, tenantId, pages } = context;
  const behind = pages.after(cursor);
  const { rows } = await sql<Row>`select ${columns} from ledger_proofs
    where tenant_id = ${tenantId} ${ok === undefined ? sql`` : sql`and ok = ${ok}`}
      ${behind ? sql`and (at, id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by at desc, id desc limit ${limit + 1}`.execute(db);
  const acknowledged = await acknowledgementsOf(context, [tenantId]);
  return pages.page(
    rows.map((row) => ({ ...row, created_at: row.at })),
    limit,
    ({ created_at: __, ...row }) => view(row, acknowledged),
  );
}

interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Instant;
}

interface DayRow {
  readonly tenant_id: string;
  readonly at: Instant;
  readonly ok: boolean;
}

const lastOf = (db: Db, tenants: readonly string[]) =>
  sql<Row>`select ${ofProof} from unnest(${tenants}::uuid[]) t(id)
    cross join lateral (select ${columns} from ledger_proofs where tenant_id = t.id
      order by at desc, id desc limit 1) p`.execute(db);

/** A violation of an hour is a violation of its day; one row an hour and result is enough. */
const hoursOf = (db: Db, tenants: readonly string[], from: Instant) =>
  sql<DayRow>`select tenant_id, date_trunc('hour', at) as at, bool_and(ok) as ok from ledger_proofs
    where tenant_id = any(${tenants}::uuid[]) and at >= ${from}
    group by 1, 2`.execute(db);

/** Today is left out until it has a proof. */
function daysOf(
  created_at: Instant,
  found: readonly DayRow[],
  today: string,
): TenantProofs['days'] {
  const states = new Map<string, 'ok' | 'violated'>();
  for (const { at, ok } of found) {
    const day = easternDay(at);
    states.set(day, ok && states.get(day) !== 'violated' ? 'ok' : 'violated');
  }
  const made = easternDay(created_at);
  return Array.from({ length: proofDays }, (_, back) => addDays(today, back + 1 - proofDays))
    .filter((day) => day >= made && (day !== today || states.has(day)))
    .map((day) => ({ day, state: states.get(day) ?? 'missing' }));
}

/** GET /portal/api/ledger-proofs: the Tenants by their names (rules/operations#68). */
export const listTenantProofs =
  ({ clocks }: Pick<Service, 'clocks'>) =>
  async (
    context: ReadContext,
    { tenant_id, limit = defaultLimit, cursor }: QueryOf<typeof ofAll>,
  ): Promise<Page<TenantProofs>> => {
    const { db, pages } = context;
    const behind = pages.after(cursor);
    const seen = visibleTenants(context, tenant_id);
    const { rows } = await sql<TenantRow>`select tenant_id as id, name, created_at from tenants
      where (${seen}::uuid[] is null or tenant_id = any(${seen}::uuid[]))
        ${behind ? sql`and (created_at, tenant_id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
      order by created_at desc, tenant_id desc limit ${limit + 1}`.execute(db);
    const today = easternDay(instantOf(clocks.realNow()));
    const ids = rows.slice(0, limit).map(({ id }) => id);
    const [last, hours, acknowledged] = await Promise.all([
      lastOf(db, ids),
      hoursOf(db, ids, startOfDay(addDays(today, 1 - proofDays))),
      acknowledgementsOf(context, ids),
    ]);
    return pages.page(rows, limit, ({ id, name, created_at }) => {
      const found = last.rows.find((row) => row.tenant_id === id);
      const own = hours.rows.filter((row) => row.tenant_id === id);
      return {
        object: 'tenant_proofs',
        tenant_id: id,
        tenant_name: name,
        last: found ? view(found, acknowledged) : null,
        days: daysOf(created_at, own, today),
      };
    });
  };
