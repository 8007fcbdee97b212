import { randomUUID } from 'node:crypto';
import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';

/** The uuid behind a public id. @throws when it is no id of this kind */
export function uuid(kind: IdKind, id: string): string {
  const found = uuidOf(kind, id);
  if (found === null) throw new Error(`${id} is no id of a ${kind}`);
  return found;
}

/** An idempotency key, or another value, that nothing else has. */
export const newKey = (): string => randomUUID();

/** The key that a request gets which names none: POST needs one, other methods take none. */
export const keyFor = (method: string, key = newKey()): { key?: string } =>
  method === 'POST' ? { key } : {};

const timeOrId = /"time":\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g;

/** A log without times and random ids, which may spell a PIN by chance. */
export const withoutRandom = (log: string): string => log.replaceAll(timeOrId, '');
