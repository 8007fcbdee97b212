import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { feeCents } from '@tenant-payments/contract/core/money.ts';
import type { Lifecycles, Resource } from '@tenant-payments/contract/lifecycles.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { QrSigner } from '../payment_requests/qr.ts';

export type StateOf<R extends Resource> = Lifecycles[R]['states'][number];

/** The ids and times of an example. The record before and after share one, so that they agree. */
export interface Example {
  /** The id of a record in the example: the same for the same name. */
  id(kind: IdKind, name?: string): string;
  /** The uuid behind the id of that name. */
  uuidOf(name: string): string;
  readonly now: Instant;
  /** When the record was created; `now` where the event is its creation. */
  readonly created: Instant;
  /** 1 where the event is the record's creation. */
  readonly version: number;
  readonly qr: Pick<QrSigner, 'write'>;
}

/** How old the record is. */
interface Past {
  readonly version: number;
  readonly ageSeconds: number;
}

export function newExample(
  { newId, now }: { readonly newId: () => string; readonly now: Instant },
  { version, ageSeconds }: Past,
  qr: Pick<QrSigner, 'write'>,
): Example {
  const uuids = new Map<string, string>();
  const uuidOf = (name: string): string => {
    const known = uuids.get(name);
    if (known !== undefined) return known;
    const made = newId();
    uuids.set(name, made);
    return made;
  };
  return {
    id: (kind, name = kind) => publicId(kind, uuidOf(name)),
    uuidOf,
    now,
    created: addSeconds(now, -ageSeconds),
    version,
    qr,
  };
}

/** How long sessions and payment requests of examples are open. */
export const expiresInSeconds = 15 * 60;
export const oneOf = <S extends string>(status: S, ...states: S[]) => states.includes(status);

/** A payment of $42.00 with a platform fee of 50 basis points, as the sample tenant has. */
export const amount = 42_00;
export const fee = feeCents(amount, 50, 0);
