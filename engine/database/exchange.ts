import type { Duplex } from 'node:stream';
import pg from 'pg';
import { columnTypes } from './column_types.ts';

/** A statement with values; a connection prepares the text of a name once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** The bytes that a `copy … from stdin` reads. */
  readonly copies?: Buffer;
}

export type Row = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The members of pg's connection that its types declare otherwise; `pg_internals.test.ts` pins each of them. */
interface Wire {
  readonly stream: Duplex;
  parse(statement: { name: string; text: string; types: number[] }): void;
  bind(values: { portal: string; statement: string; values: (string | Buffer | null)[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string; rows: number }): void;
  close(what: { type: 'S'; name: string }): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
}

/** The columns of a row; of rows side by side, those of each. */
type Layout = readonly (readonly Column[])[];

interface Prepared {
  readonly text: string;
  readonly layout: Layout;
}

/** The known state of a connection. */
interface Known {
  /** The statements that it has prepared, by name. */
  readonly prepared: Map<string, Prepared>;
  /** When the exchange was sent that it has not answered yet, in `performance.now` time. */
  sentAtMs: number | null;
}

const knownOf = new WeakMap<Wire, Known>();
/** The state for an exchange that was never sent. */
const nothing: Known = { prepared: new Map(), sentAtMs: null };

function known(wire: Wire): Known {
  const before = knownOf.get(wire);
  if (before) return before;
  const made = { prepared: new Map<string, Prepared>(), sentAtMs: null };
  knownOf.set(wire, made);
  return made;
}

/** A value as the driver sends it: bytes in PostgreSQL's binary format, all else as text. */
function sent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  return value instanceof Buffer ? value : String(value);
}

/** Tables side by side: a name that comes again begins the row of the next one. */
function layoutOf(fields: readonly { name: string; dataTypeID: number }[]): Layout {
  const layout: Column[][] = [[]];
  for (const { name, dataTypeID } of fields) {
    if (layout.at(-1)?.some((column) => column.name === name)) layout.push([]);
    layout.at(-1)?.push({ name, parse: columnTypes.getTypeParser(dataTypeID, 'text') });
  }
  return layout;
}

/** Failures that the server told before all statements of their exchange were done. */
const undone = new WeakSet<object>();

/** No statement of the exchange that failed so has left anything: its transaction was not asked to commit yet. */
export const leftNothing = (error: unknown): boolean => undone.has(error as object);

/** A custom query of pg: it writes messages, and is told what the server answers. */
class Exchange {
  /** pg wraps it where the client has a `query_timeout`. */
  callback: (error: unknown, rows?: readonly Row[][]) => void;
  readonly statements: readonly NamedStatement[];
  readonly #rows: Row[][];
  #known = nothing;
  #layout: Layout = [];
  #at = 0;
  /** A value that could not be read, told once the server is done. */
  #fault: unknown = null;

  constructor(statements: readonly NamedStatement[], callback: Exchange['callback']) {
    this.statements = statements;
    this.#rows = statements.map(() => []);
    this.callback = callback;
  }

  /** @returns an error where nothing was sent */
  submit(connection: unknown): Error | null {
    const wire = connection as Wire;
    this.#known = known(wire);
    const { prepared } = this.#known;
    const other = this.statements.find(
      ({ name, text }) => (prepared.get(name)?.text ?? text) !== text,
    );
    if (other) return new Error(`${other.name} is prepared with another text`);
    this.#layout = this.#layoutAt(0);
    this.#known.sentAtMs = performance.now();
    wire.stream.cork();
    for (const { name, text, values, copies } of this.statements) {
      const isNew = !prepared.has(name);
      // One that failed when it was first sent may be prepared or not.
      if (isNew) wire.close({ type: 'S', name });
      if (isNew) wire.parse({ name, text, types: [] });
      wire.bind({ portal: '', statement: name, values: values.map(sent) });
      if (isNew) wire.describe({ type: 'P', name: '' });
      wire.execute({ portal: '', rows: 0 });
      if (copies === undefined) continue;
      wire.sendCopyFromChunk(copies);
      wire.endCopyFrom();
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  #layoutAt(index: number): Layout {
    return this.#known.prepared.get(this.statements[index]?.name ?? '')?.layout ?? [];
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#layout = layoutOf(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    let at = 0;
    for (const columns of this.#layout) {
      const row: Row = {};
      try {
        for (const { name, parse } of columns) {
          const text = fields[at++] ?? null;
          row[name] = text === null ? null : parse(text);
        }
      } catch (error) {
        this.#fault = error;
      }
      this.#rows[this.#at]?.push(row);
    }
  }

  /** The rows of a COPY are on their way already: the server skips them if it has failed before. */
  handleCopyInResponse(): void {}

  handleCommandComplete(): void {
    const { name = '', text = '' } = this.statements[this.#at] ?? {};
    this.#known.prepared.set(name, { text, layout: this.#layout });
    this.#at += 1;
    this.#layout = this.#layoutAt(this.#at);
  }

  handleReadyForQuery(): void {
    this.#known.sentAtMs = null;
    if (this.#fault === null) this.callback(null, this.#rows);
    else this.callback(this.#fault);
  }

  /** Not the server's: the connection is lost, or past the client's deadline and of no more use. */
  handleError(error: unknown, connection: unknown): void {
    this.#known.sentAtMs = null;
    if (!(error instanceof pg.DatabaseError)) (connection as Wire).stream.destroy();
    else if (this.#at < this.statements.length) undone.add(error);
    this.callback(error);
  }
}

/**
 * Sends statements in one write, with one Sync: outside a transaction they are one, which commits at the
 * end or leaves nothing. pg's own queries cost a Sync, a Describe and a Flush each.
 * @returns the rows of each statement, as `column_types.ts` says; of tables side by side, the rows one by one
 * @throws the first failure; no statement after it has run. Past `query_timeout` the connection is closed.
 */
export const exchange = (
  client: pg.ClientBase,
  statements: readonly NamedStatement[],
): Promise<readonly Row[][]> =>
  new Promise((resolve, reject) => {
    const settle: Exchange['callback'] = (error, rows) =>
      rows === undefined ? reject(error) : resolve(rows);
    client.query(new Exchange(statements, settle));
  });

/** How often a connection looks whether it waits for too long. */
const lookEveryMs = 250;

/**
 * Closes a connection whose server answers no exchange for so long: its exchanges fail. One timer for all of
 * them: pg's `query_timeout` makes one for each, and what those hold outlives V8's young collections.
 */
export function closeWhenSilent(client: pg.Client, silentMs: number): void {
  const { connection: wire } = client as unknown as { connection: Wire };
  const look = () => {
    const { sentAtMs } = known(wire);
    if (sentAtMs !== null && performance.now() - sentAtMs > silentMs) wire.stream.destroy();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  client.once('end', () => clearInterval(timer));
}
