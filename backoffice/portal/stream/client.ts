import { Readable } from 'node:stream';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { StreamType } from '../../contract/traffic/stream.ts';
import { type FeedRow, type Micros, placeOf } from './feed.ts';

/**
 * The row behind which a client goes on; `place` is empty where all rows of the microsecond are
 * still to come.
 */
export interface Resume {
  readonly micros: Micros;
  readonly place: string;
}

const form = /^(\d{1,16})(?:\.([a-z]+\.[0-9a-f-]{1,96}))?$/;

/** @throws ApiError parameter_invalid: not an id of this feed */
export function resumeOf(header: string | undefined): Resume | null {
  if (header === undefined || header === '') return null;
  const [, micros, place = ''] = form.exec(header) ?? [];
  if (micros === undefined)
    throw fail('parameter_invalid', { param: 'Last-Event-ID', details: { reason: 'format' } });
  return { micros: Number(micros), place };
}

/** The view of a row for its reader. */
export type Show = (row: object) => object;

/** One reader of the feed. */
export interface Client {
  readonly stream: Readable;
  readonly types: ReadonlySet<StreamType>;
  /** A row that it has had already is left out. */
  send(row: FeedRow): void;
  /** All before this was sent, or is not of its types. */
  mark(micros: Micros): void;
  beat(): void;
  end(): void;
  /** Ends without what waits: the reader goes on behind what it has read. */
  cut(): void;
  /** The bytes that it has not read yet. */
  waiting(): number;
  isOpen(): boolean;
}

/** @param resume what it has had already, from whichever process */
export function openClient(
  types: ReadonlySet<StreamType>,
  resume: Resume | null,
  show: Show,
): Client {
  const stream = new Readable({ read() {} });
  // Its reader has gone, or was cut.
  stream.on('error', () => {});
  let isEnded = false;
  let last = resume;
  const isOpen = () => !isEnded && !stream.destroyed;
  const wasSent = (row: FeedRow): boolean =>
    last !== null &&
    (row.micros < last.micros || (row.micros === last.micros && placeOf(row) <= last.place));
  const write = (text: string) => void (isOpen() && stream.push(text));
  const beat = () => write(':\n\n');
  // The reply's headers leave with its first bytes: a reader must not wait for an event to be connected.
  beat();
  return {
    stream,
    types,
    isOpen,
    waiting: () => stream.readableLength,
    send(row) {
      if (wasSent(row)) return;
      last = { micros: row.micros, place: placeOf(row) };
      const id = `${row.micros}.${last.place}`;
      write(`id: ${id}\nevent: ${row.type}\ndata: ${JSON.stringify(show(row.row))}\n\n`);
    },
    // Without data it is no event, and still the id that a reader goes on behind.
    mark: (micros) => write(`id: ${micros}\n\n`),
    beat,
    cut: () => void stream.destroy(),
    end() {
      if (!isOpen()) return;
      isEnded = true;
      stream.push(null);
    },
  };
}
