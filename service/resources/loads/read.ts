import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Load } from '@tenant-payments/contract/resources/loads.ts';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { ReadContext } from '../../service.ts';
import { loads } from './table.ts';

/** GET /v1/loads/{id}. @throws ApiError not_found */
export async function getLoad(context: ReadContext, input: { id: string }): Promise<Load> {
  const row = await context.db
    .selectFrom('loads')
    .selectAll()
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', uuidOf('load', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(loads, row);
}
