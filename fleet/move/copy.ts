import type { Client } from 'pg';
import { type Carrier, type Chosen, CopyDiffers, firstRow } from './carry.ts';
import { inBoth, type Route, type Side } from './route.ts';
import type { MovedTable } from './tables.ts';

/** `since` is the oldest transaction that the step before did not see: what is younger is copied again. */
const written = (since: string): Chosen => `age(t.xmin) <= age('${since}'::xid)`;

/** The oldest transaction that this one's snapshot does not see. */
async function horizon(client: Client): Promise<string> {
  const sql = 'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid';
  return (await firstRow<{ xid: string }>(client, sql))?.xid ?? '';
}

/** The result of a round of copying. */
export interface Round {
  readonly rows: number;
  /** For the next round. */
  readonly horizon: string;
}

/**
 * Copies ahead of the stop, in one snapshot: first all, then what has been written since the round before.
 * @param since null: the first round
 */
export function copyAhead(
  route: Route,
  carrier: Carrier,
  tables: readonly MovedTable[],
  since: string | null,
): Promise<Round> {
  const copyAll = async () => {
    const next = await horizon(route.from.client);
    let rows = 0;
    for (const table of tables) {
      if (table.early === null) continue;
      const chosen = since === null ? table.early : `(${table.early}) and ${written(since)}`;
      rows += await carrier.copy(table, chosen, since === null);
    }
    return { rows, horizon: next };
  };
  return inBoth(route, copyAll, { begin: 'begin isolation level repeatable read' });
}

/** Copies all that is not copied yet, in the transaction of the switch. @returns how many rows */
export async function copyRest(
  carrier: Carrier,
  tables: readonly MovedTable[],
  since: string,
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const { early, isLog } = table;
    if (isLog) continue;
    const chosen = early === null ? 'true' : `not (${early}) or ${written(since)}`;
    rows += await carrier.copy(table, chosen, early === null);
    if (early !== null) await carrier.dropGone(table);
  }
  return rows;
}

/** Balances whose pockets are not the sums of their entries, in the new cell. */
const unbalanced = (cell: string) => `select count(*)::integer as wrong from ${cell}.balances b
  left join (select account_id, count(*) as entries,
      sum(delta) filter (where pocket = 'available') as available,
      sum(delta) filter (where pocket = 'pending_outgoing') as pending_outgoing,
      sum(delta) filter (where pocket = 'earmarked') as earmarked
    from ${cell}.entries where tenant_id = $1 and account_id is not null group by account_id) e
  on e.account_id = b.account_id
  where b.tenant_id = $1 and (b.entry_count, b.available, b.pending_outgoing, b.earmarked) is distinct from
    (coalesce(e.entries, 0), coalesce(e.available, 0), coalesce(e.pending_outgoing, 0), coalesce(e.earmarked, 0))`;

/** @throws where the ledger in the new cell does not add up */
export async function proveBalances({ client, schema }: Side, tenantId: string): Promise<void> {
  const found = await firstRow<{ wrong: number }>(client, unbalanced(schema), [tenantId]);
  if (found?.wrong !== 0)
    throw new CopyDiffers(`${found?.wrong} balances of the copy are not the sums of their entries`);
}
