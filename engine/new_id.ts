import { takeRandom } from './random.ts';
import { epochMs, type Instant } from './time/instant.ts';

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const pair = (bytes: Buffer, at: number) =>
  (hex[bytes[at] ?? 0] ?? '') + (hex[bytes[at + 1] ?? 0] ?? '');

/**
 * Makes UUIDv7 (RFC 9562) of one tenant's clock, monotonic within this process: a 12-bit counter
 * orders the ids of one millisecond, and when it is spent the id borrows the next one.
 */
export function idMaker(): (nowMs: number) => string {
  let lastMs = 0;
  let counter = 0;
  let time = '';
  return (nowMs) => {
    counter += 1;
    if (nowMs > lastMs || counter > 0xfff) {
      lastMs = Math.max(nowMs, lastMs + 1);
      counter = 0;
      const digits = lastMs.toString(16).padStart(12, '0');
      time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
    }
    const sequence = counter.toString(16).padStart(3, '0');
    const bytes = takeRandom(8);
    const variant = hex[((bytes[0] ?? 0) & 0x3f) | 0x80] ?? '80';
    const tail = pair(bytes, 2) + pair(bytes, 4) + pair(bytes, 6);
    return `${time}${sequence}-${variant}${hex[bytes[1] ?? 0]}-${tail}`;
  };
}

/** The smallest UUIDv7 of a millisecond: ids sort by time. */
export function idAt(epochMs: number): string {
  const time = Math.max(0, epochMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** An id holds the time at which it was made, which the `created_at` of its row follows closely. */
const idSlackMs = 3_600_000;

/** The id at which the rows of an instant begin on an index of their ids. */
export const firstIdAt = (instant: Instant): string => idAt(epochMs(instant) - idSlackMs);
/** The id at which they have ended. */
export const lastIdAt = (instant: Instant): string => idAt(epochMs(instant) + idSlackMs);
