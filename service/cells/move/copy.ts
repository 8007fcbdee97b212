import type { Client } from 'pg';
import { leaveBehind, type Route } from './route.ts';
import type { MovedTable } from './tables.ts';

/** Which rows of a table a step copies. `t` is the row in the old cell. */
type Chosen = string;

/** `since` is the oldest transaction that the step before did not see: what is younger is copied again. */
const written = (since: string): Chosen => `age(t.xmin) <= age('${since}'::xid)`;

const sameKey = ({ key }: MovedTable) =>
  key.map((column) => `b.${column} = t.${column}`).join(' and ');

/** A copy that is not the original, as where something was written meanwhile: it may be tried again. */
export class CopyDiffers extends Error {}

/** The number of rows, and a sum over the text of each. */
interface Sum {
  readonly rows: string;
  readonly sum: string;
}

const summed = `select count(*)::text as rows,
  coalesce(sum(hashtextextended(x::text, 0)), 0)::text as sum from`;

/** @throws where the rows in the new cell are not, word for word, those of the old one */
async function compare(
  client: Client,
  { from, to, tenantId }: Route,
  table: MovedTable,
  chosen: Chosen,
): Promise<number> {
  const { name, columns } = table;
  const { rows } = await client.query<Sum>(
    `${summed} (select ${columns} from ${from}.${name} t where t.tenant_id = $1 and (${chosen})) x
      union all ${summed} (select ${columns} from ${to}.${name} b where b.tenant_id = $1 and exists
        (select from ${from}.${name} t where t.tenant_id = $1 and ${sameKey(table)} and (${chosen}))) x`,
    [tenantId],
  );
  const [here, there] = rows;
  if (!here || here.rows !== there?.rows || here.sum !== there.sum)
    throw new CopyDiffers(
      `${name}: the copy differs (${here?.rows} rows here, ${there?.rows} there)`,
    );
  return Number(here.rows);
}

/** Copies the chosen rows, over what an earlier step copied of them. @returns how many */
async function copyRows(
  client: Client,
  route: Route,
  table: MovedTable,
  chosen: Chosen,
  isFirst: boolean,
): Promise<number> {
  const { from, to, tenantId } = route;
  const { name, columns } = table;
  if (!isFirst)
    await client.query(
      `delete from ${to}.${name} b using ${from}.${name} t
        where t.tenant_id = $1 and b.tenant_id = $1 and ${sameKey(table)} and (${chosen})`,
      [tenantId],
    );
  const { rowCount } = await client.query(
    `insert into ${to}.${name} (${columns})
      select ${columns} from ${from}.${name} t where t.tenant_id = $1 and (${chosen})`,
    [tenantId],
  );
  if (rowCount !== 0) await compare(client, route, table, chosen);
  return rowCount ?? 0;
}

/** The oldest transaction that this one's snapshot does not see. */
async function horizon(client: Client): Promise<string> {
  const { rows } = await client.query<{ xid: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid',
  );
  return rows[0]?.xid ?? '';
}

/** What a round of copying did. */
export interface Round {
  readonly rows: number;
  /** For the next round. */
  readonly horizon: string;
}

/**
 * Copies ahead of the stop, in one snapshot: first all, then what has been written since the round before.
 * @param since null: the first round
 */
export async function copyAhead(
  client: Client,
  route: Route,
  tables: readonly MovedTable[],
  since: string | null,
): Promise<Round> {
  await client.query('begin isolation level repeatable read');
  try {
    await client.query(leaveBehind, [route.tenantId]);
    const next = await horizon(client);
    let rows = 0;
    for (const table of tables) {
      if (table.early === null) continue;
      const chosen = since === null ? table.early : `(${table.early}) and ${written(since)}`;
      rows += await copyRows(client, route, table, chosen, since === null);
    }
    await client.query('commit');
    return { rows, horizon: next };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Deletes what was copied ahead and is gone by now. @throws where the numbers of rows differ still */
async function dropGone(client: Client, { from, to, tenantId }: Route, table: MovedTable) {
  const { name } = table;
  const count = `select (select count(*) from ${from}.${name} where tenant_id = $1)
    - (select count(*) from ${to}.${name} where tenant_id = $1) as more`;
  const more = async () =>
    Number((await client.query<{ more: string }>(count, [tenantId])).rows[0]?.more);
  if ((await more()) === 0) return;
  await client.query(
    `delete from ${to}.${name} b where b.tenant_id = $1 and not exists
      (select from ${from}.${name} t where t.tenant_id = $1 and ${sameKey(table)})`,
    [tenantId],
  );
  if ((await more()) !== 0) throw new CopyDiffers(`${name}: the copy has not the same rows`);
}

/** Copies all that is not copied yet, in the transaction of the switch. @returns how many rows */
export async function copyRest(
  client: Client,
  route: Route,
  tables: readonly MovedTable[],
  since: string,
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const { early, isLog } = table;
    if (isLog) continue;
    const chosen = early === null ? 'true' : `not (${early}) or ${written(since)}`;
    rows += await copyRows(client, route, table, chosen, early === null);
    if (early !== null) await dropGone(client, route, table);
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
export async function proveBalances(client: Client, { to, tenantId }: Route): Promise<void> {
  const { rows } = await client.query<{ wrong: number }>(unbalanced(to), [tenantId]);
  if (rows[0]?.wrong !== 0)
    throw new CopyDiffers(
      `${rows[0]?.wrong} balances of the copy are not the sums of their entries`,
    );
}
