import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Columns, readColumns, shown, type Table } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '../read_context.ts';

/**
 * Makes the read behind `GET /v1/<records>/{id}`: one record of the Tenant, as its table shows it.
 * @param kind what the id's prefix must be
 * @returns a read that throws ApiError not_found
 */
export const getRecord =
  <P extends object>(of: Table<Columns, Lifecycle | undefined, P>, kind: IdKind) =>
  async ({ db, tenantId }: ReadContext, { id }: { id: string }): Promise<P> => {
    const row = await db
      // Any table with these two columns; this one stands for it in kysely's types.
      .selectFrom(of.name as 'customers')
      .select(readColumns(of) as ('id' | 'tenant_id')[])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', uuidOf(kind, id))
      .executeTakeFirst();
    if (!row) throw fail('not_found');
    return shown(of, row);
  };
