import type { Client } from 'pg';
import { leaveBehind, type Route } from './route.ts';
import type { MovedTable } from './tables.ts';

/** Rows deleted at a time, so that no statement takes long. */
const atOnce = 10_000;

/** Deletes what a Tenant has in a cell that is not its own, table by table. */
async function deleteAll(
  client: Client,
  cell: string,
  tenantId: string,
  { name }: MovedTable,
): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) {
    await client.query('begin');
    await client.query(leaveBehind, [tenantId]);
    const { rowCount } = await client.query(
      `delete from ${cell}.${name} where ctid = any (array(
        select ctid from ${cell}.${name} where tenant_id = $1 limit ${atOnce}))`,
      [tenantId],
    );
    await client.query('commit');
    deleted = rowCount ?? 0;
  }
}

/** Takes along what was written in the old cell after the switch: lines of logs, of no other record. */
async function takeLate(client: Client, { from, to, tenantId }: Route, table: MovedTable) {
  const { name, columns } = table;
  await client.query(
    `insert into ${to}.${name} (${columns})
      select ${columns} from ${from}.${name} t where t.tenant_id = $1 on conflict do nothing`,
    [tenantId],
  );
}

/** Clears the cell that the Tenant has left: late rows go along, copied ones are deleted. */
export async function clearOld(
  client: Client,
  route: Route,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const table of tables) {
    if (table.early === null || table.isLog) await takeLate(client, route, table);
    await deleteAll(client, route.from, route.tenantId, table);
  }
}

/** Clears the cell that the Tenant did not get to. */
export async function clearNew(
  client: Client,
  { to, tenantId }: Route,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const table of tables) await deleteAll(client, to, tenantId, table);
}

/** Deletes the rows that jobs, deliveries and lists of staff would find, in the transaction of the switch. */
export async function deleteServed(
  client: Client,
  { from, tenantId }: Route,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const { name, early } of tables)
    if (early === null || name === 'deliveries')
      await client.query(`delete from ${from}.${name} where tenant_id = $1`, [tenantId]);
}
