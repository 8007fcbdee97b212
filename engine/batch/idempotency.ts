import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { arrayParameter } from '../database/binary.ts';
import { fail } from '../fail.ts';
import { hash128 } from '../hash128.ts';
import { column, orNull, type RowOf, table } from '../table.ts';
import { addSeconds, type Instant } from '../time/instant.ts';
import type { Statement } from '../write/sql.ts';

/**
 * One row for each tenant and key, written in the transaction of its effect, so there is no state
 * "in progress" (rules/idempotency#11). Only successes are stored: after an error the key is free.
 */
export const idempotency = table({
  name: 'idempotency',
  key: ['key_hash'],
  columns: {
    key_hash: column.uuid,
    fingerprint: column.uuid,
    /** The event that shows the plain reply's record; null when there is none. */
    event_id: orNull(column.uuid),
    /** A plain reply without one, packed; null also when the whole reply is secret and is stored sealed. */
    body: orNull(column.text),
    once_field: orNull(column.text),
    once_sealed: orNull(column.text),
    session_id: orNull(column.uuid),
    created_at: column.instant,
  },
  proof: 'none',
  revised: false,
});
export type IdempotencyRow = RowOf<typeof idempotency>;

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The key as it is looked up.
 * @throws ApiError parameter_invalid, param `Idempotency-Key`: not 1 to 255 visible ASCII characters.
 */
export function keyHashOf(header: string): string {
  const quoted = header.length > 1 && header.startsWith('"') && header.endsWith('"');
  const key = quoted ? header.slice(1, -1) : header;
  if (!visibleAscii.test(key))
    throw fail('parameter_invalid', {
      param: 'Idempotency-Key',
      details: { reason: 'format' },
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
    });
  return hash128(key);
}

/** A key is kept for 30 days of the tenant's clock (rules/idempotency#4). */
const keptSeconds = lifetimes.idempotencyKey;

/** Whether a stored key is still valid. After that time it counts as one that was never sent. */
export const isKept = ({ created_at }: IdempotencyRow, now: Instant): boolean =>
  now < addSeconds(created_at, keptSeconds);

/**
 * Deletes expired keys that are used again. The number of deleted rows is not checked: if another
 * process was faster, the insert that follows conflicts with its row and the batch reruns.
 */
export function deleteExpired(
  keys: readonly { readonly tenantId: string; readonly row: IdempotencyRow }[],
): Statement {
  const column = (type: string, pick: (key: (typeof keys)[number]) => string) =>
    arrayParameter(type, keys.map(pick));
  return {
    name: 'delete expired keys',
    text: `delete from idempotency t
      using unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) x(tenant_id, key_hash, created_at)
      where t.tenant_id = x.tenant_id and t.key_hash = x.key_hash and t.created_at = x.created_at`,
    values: [
      column('uuid', ({ tenantId }) => tenantId),
      column('uuid', ({ row }) => row.key_hash),
      column('timestamptz', ({ row }) => row.created_at),
    ],
  };
}

/** JSON with the keys of every object sorted: one text for one meaning. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${sorted(field)}`).join(',')}}`;
}

/** Two requests are the same when method, path and parsed body are (rules/idempotency#3). */
export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash128(`${method} ${path} ${sorted(body ?? null)}`);

/** @throws ApiError parameter_invalid when the key belongs to another request. */
export function checkFingerprint(row: IdempotencyRow, fingerprint: string): void {
  if (row.fingerprint !== fingerprint)
    throw fail('parameter_invalid', {
      param: 'Idempotency-Key',
      details: { reason: 'idempotency_key_reused' },
      message: 'This Idempotency-Key was used for another request',
    });
}
