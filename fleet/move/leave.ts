import type { Carrier } from './carry.ts';
import { letLeave, type Route, type Side } from './route.ts';
import type { MovedTable } from './tables.ts';

/** Rows deleted at a time, so that no statement takes long. */
const atOnce = 10_000;

/** Deletes what a Tenant has in a cell that is not its own, table by table. */
async function deleteAll(
  { client, schema }: Side,
  tenantId: string,
  { name }: MovedTable,
): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) {
    await client.query('begin');
    await letLeave(client, tenantId);
    const { rowCount } = await client.query(
      `delete from ${schema}.${name} where ctid = any (array(
        select ctid from ${schema}.${name} where tenant_id = $1 limit ${atOnce}))`,
      [tenantId],
    );
    await client.query('commit');
    deleted = rowCount ?? 0;
  }
}

/** Clears the cell that the Tenant has left: late rows go along, copied ones are deleted. */
export async function clearOld(
  { from, tenantId }: Route,
  carrier: Carrier,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const table of tables) {
    if (table.early === null || table.isLog) await carrier.takeLate(table);
    await deleteAll(from, tenantId, table);
  }
}

/** Clears the cell that the Tenant did not get to. */
export async function clearNew(
  { to, tenantId }: Route,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const table of tables) await deleteAll(to, tenantId, table);
}

/** Deletes the rows that jobs, deliveries and lists of staff would find, in the transaction of the switch. */
export async function deleteServed(
  { from: { client, schema }, tenantId }: Route,
  tables: readonly MovedTable[],
): Promise<void> {
  for (const { name, early } of tables)
    if (early !== 'true')
      await client.query(`delete from ${schema}.${name} where tenant_id = $1`, [tenantId]);
}
