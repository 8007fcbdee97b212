import { fail } from '@tenant-payments/engine/fail.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';

type Db = Kysely<Database>;

/** Keys of QR codes that nobody takes any more (rules/keys#12). */
export const revokedQrKeys = table({
  name: 'control.revoked_qr_keys',
  of: 'platform',
  key: ['key_id'],
  columns: { key_id: column.text, revoked_at: column.instant },
  frozen: ['revoked_at'],
  audited: ({ key_id: id, revoked_at }) => ({ id, revoked_at }),
});
export type RevokedQrKeyRow = RowOf<typeof revokedQrKeys>;

/** A revocation takes effect in every process within this time (rules/keys#12). */
const believedMs = 1_000;

/** The revoked keys, each with the time of its revocation. */
export async function readRevokedQrKeys(db: Db): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await sql<{ key_id: string; revoked_at: Instant }>`
    select key_id, revoked_at from control.revoked_qr_keys`.execute(db);
  return new Map(rows.map(({ key_id, revoked_at }) => [key_id, revoked_at]));
}

/** Says of a key whether it is revoked. Many codes cost one query a second. */
export function openRevokedQrKeys(db: Db): (keyId: string) => Promise<boolean> {
  let known: { readonly keys: ReturnType<typeof readRevokedQrKeys>; readonly atMs: number } | null =
    null;
  return async (keyId) => {
    const nowMs = performance.now();
    if (known === null || nowMs - known.atMs >= believedMs) {
      const asked = { keys: readRevokedQrKeys(db), atMs: nowMs };
      known = asked;
      asked.keys.catch(() => {
        if (known === asked) known = null;
      });
    }
    return (await known.keys).has(keyId);
  };
}

const alreadyRevoked = (revoked_at: Instant) =>
  fail('invalid_state', {
    details: { reason: 'already_revoked', revoked_at },
    message: `the key is revoked since ${revoked_at}`,
  });

/** Whether a key can be revoked is decided on this. */
export const loadRevocation = (read: Read, id: string) => read.maybe(revokedQrKeys, id);

/**
 * Whether a key of the ring can be revoked now.
 * @throws ApiError not_found; invalid_state, reason `signs_new_codes`, `already_revoked`
 */
export function assertRevocable(
  ring: KeyRing<string>,
  id: string,
  revoked: RevokedQrKeyRow | null,
): void {
  if (!ring.some((key) => key.id === id)) throw fail('not_found', { param: 'id' });
  if (revoked) throw alreadyRevoked(revoked.revoked_at);
  if (ring[0].id === id)
    throw fail('invalid_state', {
      details: { reason: 'signs_new_codes' },
      message: 'it signs new codes: put another key first in QR_SIGNING_KEY of every process',
    });
}

/** Revokes a key; the later of two at once finds it revoked. @param at real time */
export const revokeQrKey = (work: Work, id: string, at: Instant): RevokedQrKeyRow =>
  work.create(revokedQrKeys, { key_id: id, revoked_at: at });

/** A start whose new codes nobody would take is refused. @throws one line */
export async function proveQrKey(db: Db, [first]: KeyRing<string>): Promise<void> {
  if ((await readRevokedQrKeys(db)).has(first.id))
    throw new Error(`QR_SIGNING_KEY: the key ${first.id} is revoked; put another one first`);
}
