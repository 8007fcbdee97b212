import { Readable } from 'node:stream';
import type pg from 'pg';
import { assert } from '../../core/fail.ts';

/** Messages of the protocol by their first byte. */
const codeOf = (letter: string): number => letter.charCodeAt(0);
const copyData = codeOf('d');
/** What may stand among the rows: CopyOutResponse, ParameterStatus, Notice and Notification. */
const amongRows = new Set(['H', 'S', 'N', 'A'].map(codeOf)).add(copyData);
const headBytes = 5;
const lengthBytes = 4;

/**
 * COPY … TO STDOUT as a stream of its rows' bytes, for `client.query`. Rows are moved together within
 * the bytes that came from the database, so a row costs no object and a file of a million rows no
 * memory; the database waits while the reader does.
 */
export class CopyOut extends Readable {
  /** Rows that the database says it has sent; known once the query is over. */
  rowCount: number | null = null;
  /** How long the query may take; pg watches it. */
  query_timeout?: number;
  /** pg's own, which it gives to a query with a deadline. */
  callback?: (error: Error | null) => void;
  private readonly text: string;
  private connection: pg.Connection | null = null;
  private handler: ((bytes: Buffer) => void) | null = null;
  private isWanted = false;
  private readonly head = Buffer.alloc(headBytes);
  private headRead = 0;
  private left = 0;

  constructor(text: string) {
    super();
    this.text = text;
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    const { stream } = connection;
    const [handler] = stream.listeners('data');
    assert(handler && stream.listenerCount('data') === 1, 'pg alone reads its connection');
    this.handler = handler as (bytes: Buffer) => void;
    stream.removeListener('data', this.handler);
    stream.pause();
    stream.on('readable', this.forward);
    connection.query(this.text);
  }

  override _read(): void {
    this.isWanted = true;
    this.forward();
  }

  private readonly forward = (): void => {
    while (this.isWanted && this.connection) {
      const bytes: Buffer | null = this.connection.stream.read();
      if (bytes === null) return;
      this.takeRows(bytes);
    }
  };

  /** Sends the rows in these bytes on; what follows the last row is pg's. */
  private takeRows(bytes: Buffer): void {
    let written = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.left === 0) {
        const code = this.headRead === 0 ? bytes[at] : this.head[0];
        if (!amongRows.has(code ?? 0)) break;
        at += this.takeHead(bytes, at);
        continue;
      }
      const end = Math.min(at + this.left, bytes.length);
      this.left -= end - at;
      if (this.head[0] === copyData) {
        bytes.copyWithin(written, at, end);
        written += end - at;
      }
      at = end;
    }
    if (written > 0) this.isWanted = this.push(bytes.subarray(0, written));
    if (at < bytes.length) this.giveBack(bytes.subarray(at));
  }

  /** @returns how many bytes of a message's head these were */
  private takeHead(bytes: Buffer, at: number): number {
    const count = bytes.copy(this.head, this.headRead, at, at + headBytes - this.headRead);
    this.headRead += count;
    if (this.headRead === headBytes) {
      this.left = this.head.readUInt32BE(1) - lengthBytes;
      this.headRead = 0;
    }
    return count;
  }

  /** The rows are over, or the query has failed: pg reads on. */
  private giveBack(rest: Buffer): void {
    const { connection, handler } = this;
    if (!connection || !handler) return;
    this.connection = null;
    const { stream } = connection;
    stream.removeListener('readable', this.forward);
    stream.on('data', handler);
    handler(rest);
    // What pg reads may have paused the stream.
    process.nextTick(() => stream.resume());
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rowCount = Number(/^COPY (\d+)$/.exec(text)?.[1]);
    this.push(null);
  }

  handleReadyForQuery(): void {}
}
