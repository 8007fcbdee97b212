import { deleteServed } from './leave.ts';
import type { Route } from './route.ts';
import type { MovedTable } from './tables.ts';

/** A move between cells of two databases, as `control.moves` has it. */
export interface MoveApart {
  readonly id: string;
  readonly tenant_id: string;
  readonly from_cell: string;
  readonly to_cell: string;
}

/** SQL: a stop without end, as an instant that every reader of the row understands. */
const noEnd = `'9999-12-31 00:00:00+00'::timestamptz`;

/**
 * The end of both transactions. The new cell has the Tenant, but begins nothing for it; once the old one has
 * committed, the Tenant has left it, and whoever finds that finishes the move.
 */
export async function depart(
  route: Route,
  tables: readonly MovedTable[],
  moveId: string,
): Promise<void> {
  const { from, to, tenantId } = route;
  const inNew = (sql: string) => to.client.query(sql, [tenantId]);
  await inNew(`update ${to.schema}.tenants set stopped_until = ${noEnd} where tenant_id = $1`);
  await inNew(`delete from ${to.schema}.departures where tenant_id = $1`);
  await from.client.query(
    `insert into ${from.schema}.departures (tenant_id, move_id, departed_at)
      values ($1, $2, clock_timestamp())
      on conflict (tenant_id) do update set move_id = $2, departed_at = clock_timestamp()`,
    [tenantId, moveId],
  );
  await deleteServed(route, tables);
}

/** A connection or a pool. */
interface Asked {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A cell that is asked; its schema is quoted. */
export interface AskedCell {
  readonly client: Asked;
  readonly schema: string;
}

/** Whether the Tenant of a move has left its old cell. */
export async function hasDeparted({ client, schema }: AskedCell, moveId: string): Promise<boolean> {
  const sql = `select from ${schema}.departures where move_id = $1`;
  return (await client.query(sql, [moveId])).rows.length > 0;
}

/** One of several that finish a move names the new cell, and none does so once the Tenant has moved on. */
const nameCell = `with done as (
    update control.moves set state = 'switched', switched_at = clock_timestamp()
    where id = $1 and state = 'stopped' returning tenant_id, to_cell)
  update control.tenants t set cell = d.to_cell from done d where t.tenant_id = d.tenant_id`;

/** SQL: lets a cell serve the Tenant that has arrived. */
const serve = (schema: string) => `update ${schema}.tenants t set stopped_until = null
  where t.tenant_id = $1 and t.stopped_until = ${noEnd}
    and exists (select from control.tenants c where c.tenant_id = t.tenant_id and c.cell = $2)`;

/**
 * Finishes a move whose Tenant has left its old cell: names the new one, which serves it from then on. It may
 * be done by several at once, and again.
 */
export async function finishMove(
  control: Asked,
  { client, schema }: AskedCell,
  { id, tenant_id, to_cell }: MoveApart,
): Promise<void> {
  await control.query(nameCell, [id]);
  await client.query(serve(schema), [tenant_id, to_cell]);
}
