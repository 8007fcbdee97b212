import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { readVolumes, totalOf } from '@tenant-payments/service/resources/request_volumes.ts';
import type {
  getRequestVolumes as contract,
  RequestVolumes,
} from '../../contract/money/request_volumes.ts';

const defaultDays = 30;
const daySeconds = 24 * 3_600;

/** GET /portal/api/request-volumes */
export async function getRequestVolumes(
  { db, tenantId, now: readNow }: ReadContext,
  { days = defaultDays }: QueryOf<typeof contract>,
): Promise<RequestVolumes> {
  const now = await readNow();
  const from = addSeconds(now, -days * daySeconds);
  const uses = await readVolumes(db, tenantId, from, now);
  return { object: 'request_volumes', from, to: now, total: totalOf(uses), uses: [...uses] };
}
