import { atMost } from '@tenant-payments/engine/at_most.ts';
import type { AccessNotes } from '@tenant-payments/service/http/files/access.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { LRUCache } from 'lru-cache';

const hourMs = 3_600_000;
const remembered = 10_000;

/**
 * Writes that somebody reads (rules/audit#18). What this process has written in this hour is not asked of the
 * database again.
 * @returns when it is written. @throws what the database throws: nothing is read without its row
 */
export function openAccessNotes({
  control,
  clocks,
}: Pick<Service, 'control' | 'clocks'>): AccessNotes {
  const written = new LRUCache<string, true>(atMost(remembered));

  return async (access) => {
    const { tenantId, personId, actedAs, apiKeyId, kind, record, address, requestId } = access;
    const hour = Math.floor(clocks.realNow() / hourMs);
    const key = JSON.stringify([hour, tenantId, personId, kind, record]);
    if (written.has(key)) return;
    await control.query(
      `insert into control.access_records
         (scope, person_id, acted_as, api_key_id, kind, record, address, request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [tenantId, personId, actedAs, apiKeyId, kind, record, address, requestId],
    );
    written.set(key, true);
  };
}
