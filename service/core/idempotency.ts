import { createHash } from 'node:crypto';
import { fail } from './fail.ts';
import { column, orNull, type RowOf, table } from './table.ts';

/**
 * One row for each tenant and key, written in the transaction of its effect, so there is no state
 * "in progress" (decisions 1.7). Only successes are stored: after an error the key is free.
 */
export const idempotency = table({
  name: 'idempotency',
  key: ['key_hash'],
  columns: {
    key_hash: column.uuid,
    fingerprint: column.uuid,
    /** The plain reply; null when the whole reply is a secret and stands sealed. */
    body: orNull(column.text),
    once_field: orNull(column.text),
    once_sealed: orNull(column.text),
    session_id: orNull(column.uuid),
    created_at: column.instant,
  },
  proof: 'none',
});
export type IdempotencyRow = RowOf<typeof idempotency>;

/** 128 bits of SHA-256 in the shape of a uuid: the narrowest key the database compares fast. */
function hash128(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20, 32)}`;
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The key as it is looked up.
 * @throws ApiError parameter_invalid, param `Idempotency-Key`: not 1 to 255 visible ASCII characters.
 */
export function keyHashOf(header: string): string {
  const quoted = header.length > 2 && header.startsWith('"') && header.endsWith('"');
  const key = quoted ? header.slice(1, -1) : header;
  if (!visibleAscii.test(key))
    throw fail('parameter_invalid', {
      param: 'Idempotency-Key',
      details: { reason: 'format' },
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
    });
  return hash128(key);
}

/** JSON with the keys of every object sorted: one text for one meaning. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${sorted(field)}`).join(',')}}`;
}

/** What makes two requests the same one: method, path and parsed body (decisions 1.7). */
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
