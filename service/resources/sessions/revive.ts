import type { IdempotencyRow } from '@tenant-payments/engine/batch/idempotency.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { withField } from '@tenant-payments/engine/json_text.ts';
import { recordIn, type StoredText } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { summaryOf } from './open.ts';

/** @throws where it is not there: an event keeps its text for longer than a key is valid */
async function recordOf(db: Kysely<Database>, tenantId: string, eventId: string): Promise<string> {
  const { rows } = await sql<StoredText>`select id, created_at, object_id, body from events
    where tenant_id = ${tenantId} and id = ${eventId} and body <> ''`.execute(db);
  const [event] = rows;
  assert(event, "a stored reply's event has its text");
  return JSON.stringify(recordIn(event));
}

/**
 * Makes the function that replays a stored reply (rules/idempotency#5): the plain record, with its
 * session's token only while that session can still be opened. A reply that is one secret is
 * replayed as it was.
 */
export function openRevival(db: Kysely<Database>, vault: Vault, clocks: Clocks) {
  /** Null unless it is created, unopened, and not past expires_at on the tenant's clock. */
  async function openable(tenantId: string, sessionId: string) {
    const found = await db
      .selectFrom('sessions')
      .innerJoin('tenants', 'tenants.tenant_id', 'sessions.tenant_id')
      .where('sessions.tenant_id', '=', tenantId)
      .where('sessions.id', '=', sessionId)
      .where('sessions.status', '=', 'created')
      .where('sessions.opened_at', 'is', null)
      .select(['sessions.id', 'sessions.flow', 'sessions.expires_at'])
      .select(['tenants.clock_offset_ms', 'tenants.clock_at'])
      .executeTakeFirst();
    return found && clocks.at(tenantId, found).now < found.expires_at ? found : null;
  }

  return async (tenantId: string, row: IdempotencyRow): Promise<string> => {
    const { event_id, once_field, once_sealed, session_id } = row;
    const body = event_id === null ? row.body : await recordOf(db, tenantId, event_id);
    if (once_sealed === null) {
      assert(body !== null, 'a stored reply has a body or is sealed');
      return body;
    }
    const opened = () => vault.open(tenantId, row.key_hash, once_sealed);
    if (body === null) return JSON.stringify(opened());
    const session = session_id === null ? null : await openable(tenantId, session_id);
    if (once_field === null || session === null) return body;
    const token = opened();
    // Keys of before hold the whole summary.
    const isWhole = once_field === 'token' || typeof token !== 'string';
    return withField(body, once_field, isWhole ? token : summaryOf(session, token));
  };
}
