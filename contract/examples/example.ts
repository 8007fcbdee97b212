import { type IdKind, publicId } from '../core/ids.ts';
import { feeCents } from '../core/money.ts';
import type { Lifecycles, Resource } from '../lifecycles.ts';

/** Signs the payload of a payment request's QR code. */
export interface QrWriter {
  write(payload: {
    readonly id: string;
    readonly t: 'dynamic' | 'static';
    readonly mer: string;
    readonly amt?: number;
    readonly exp?: number;
  }): string;
}

/** The instant so many seconds after another one. */
export const later = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * 1000).toISOString();

/** The day (YYYY-MM-DD) so many days after another one. */
export const dayAfter = (day: string, days: number): string =>
  later(`${day}T00:00:00.000Z`, days * 24 * 60 * 60).slice(0, 10);

export type StateOf<R extends Resource> = Lifecycles[R]['states'][number];

/** The ids and times of an example. The record before and after share one, so that they agree. */
export interface Example {
  /** The id of a record in the example: the same for the same name. */
  id(kind: IdKind, name?: string): string;
  /** The uuid behind the id of that name. */
  uuidOf(name: string): string;
  readonly now: string;
  /** When the record was created; `now` where the event is its creation. */
  readonly created: string;
  /** 1 where the event is the record's creation. */
  readonly version: number;
  /** The day before (YYYY-MM-DD), in Eastern Time: the last day of a statement, the day of a report. */
  readonly day: string;
  readonly qr: QrWriter;
}

/** How old the record is. */
interface Past {
  readonly version: number;
  readonly ageSeconds: number;
}

/** Days as YYYY-MM-DD. */
const easternDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

export function newExample(
  { newId, now }: { readonly newId: () => string; readonly now: string },
  { version, ageSeconds }: Past,
  qr: QrWriter,
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
    created: later(now, -ageSeconds),
    version,
    day: dayAfter(easternDay.format(new Date(now)), -1),
    qr,
  };
}

/** How long sessions and payment requests of examples are open. */
export const expiresInSeconds = 15 * 60;
export const oneOf = <S extends string>(status: S, ...states: S[]) => states.includes(status);

/** A payment of $12.50 with a platform fee of 50 basis points, as the sample tenant has. */
export const amount = 12_50;
export const fee = feeCents(amount, 50, 0);
