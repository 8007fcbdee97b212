import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { feeCents } from '@tenant-payments/contract/core/money.ts';
import type { Lifecycles, Resource } from '@tenant-payments/contract/lifecycles.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { QrSigner } from '../../resources/payment_requests/qr.ts';

export type StateOf<R extends Resource> = Lifecycles[R]['states'][number];

/** What an example is made of. One hand makes the record before and after, so both agree. */
export interface Hand {
  /** The id of someone or something in the example: the same for the same name. */
  id(kind: IdKind, name?: string): string;
  /** The uuid behind the id of that name. */
  uuidOf(name: string): string;
  readonly now: Instant;
  /** When the record began: now, where it begins. */
  readonly created: Instant;
  /** 1 where the record begins. */
  readonly version: number;
  readonly qr: QrSigner;
}

/** How long before the event the record began. */
interface Past {
  readonly version: number;
  readonly ageSeconds: number;
}

export function openHand(
  around: { readonly newId: () => string; readonly now: Instant },
  { version, ageSeconds }: Past,
  qr: QrSigner,
): Hand {
  const uuids = new Map<string, string>();
  const uuidOf = (name: string): string => {
    const known = uuids.get(name);
    if (known !== undefined) return known;
    const made = around.newId();
    uuids.set(name, made);
    return made;
  };
  return {
    id: (kind, name = kind) => publicId(kind, uuidOf(name)),
    uuidOf,
    now: around.now,
    created: addSeconds(around.now, -ageSeconds),
    version,
    qr,
  };
}

/** How long something waits that expires. */
export const expiresInSeconds = 15 * 60;
export const oneOf = <S extends string>(status: S, ...states: S[]) => states.includes(status);

/** A payment of $42.00 with the platform's 50 basis points (decisions 1.11). */
export const amount = 42_00;
export const fee = feeCents(amount, 50, 0);
