import pg from 'pg';

/**
 * Statements that wait for permission. A service whose connections carry the name of a gate sends each
 * statement only when the gate lets it through; all others, and those of a gate that stands open, go
 * as ever. It is laid over `pg` from outside: the service knows nothing of it.
 */

/** A statement at the gate, or one that was let through and has not come back. */
interface Passage {
  /** The server's process of its connection, by which PostgreSQL tells who waits for whom. */
  readonly pid: number;
  readonly send: () => Promise<unknown>;
}

/** One side of a race, and all that it has asked of the database. */
export interface Gate {
  /** Statements that wait for permission, in the order in which they came. */
  waiting(): number;
  /** Lets the first one through. */
  admit(): void;
  /** The server's process that works on the one let through; null: nothing is under way. */
  underWay(): number | null;
  /** Every server process that this side has used. */
  readonly pids: ReadonlySet<number>;
  /** Closes the gate, or opens it for good: what waits goes through. */
  close(onNews: () => void): void;
  open(): void;
}

/** A statement as somebody else would send it; a test breaks the service so, and it must be found. */
export type Rewrite = (text: string) => string;

interface OwnGate extends Gate {
  rewrite: Rewrite | undefined;
  pass<T>(pid: number, send: () => Promise<T>): Promise<T>;
}

const gates = new Map<string, OwnGate>();

/** A gate for the connections whose `application_name` is this. */
export function openGate(name: string, rewrite?: Rewrite): Gate {
  const known = gates.get(name);
  if (known) {
    known.rewrite = rewrite;
    return known;
  }
  layOver();
  const queue: Passage[] = [];
  const pids = new Set<number>();
  let news: (() => void) | null = null;
  let underWay: Passage | null = null;

  function admit(): void {
    const passage = queue.shift();
    if (!passage) return;
    underWay = passage;
    const landed = () => {
      if (underWay === passage) underWay = null;
      news?.();
    };
    passage.send().then(landed, landed);
  }

  const gate: OwnGate = {
    rewrite,
    waiting: () => queue.length,
    underWay: () => underWay?.pid ?? null,
    pids,
    admit,
    close(onNews) {
      news = onNews;
    },
    open() {
      news = null;
      while (queue.length > 0) admit();
    },
    pass<T>(pid: number, send: () => Promise<T>): Promise<T> {
      pids.add(pid);
      if (!news) return send();
      return new Promise<T>((resolve, reject) => {
        // Whoever asked hears of the answer before the next statement goes.
        const sending = () => {
          const sent = send();
          sent.then(resolve, reject);
          return sent;
        };
        queue.push({ pid, send: sending });
        news?.();
      });
    },
  };
  gates.set(name, gate);
  return gate;
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** What pg does not declare of a client. */
interface Connected {
  readonly processID: number;
  readonly connectionParameters: { readonly application_name?: string };
}

/** What a client is given to send, where it is no bare text. */
interface Asked {
  readonly submit?: unknown;
  readonly text?: string;
}

let isLaid = false;

/** Lays the gates over every client of this process, once. */
function layOver(): void {
  if (isLaid) return;
  isLaid = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    const { connectionParameters, processID } = this as unknown as Connected;
    const gate = gates.get(connectionParameters.application_name ?? '');
    if (!gate) return query.apply(this, given);
    const [asks] = given as [Asked];
    // A stream of its own is no statement of a command.
    if (typeof asks.submit === 'function') return query.apply(this, given);
    if (gate.rewrite && asks.text) given[0] = { ...asks, text: gate.rewrite(asks.text) };
    const callback = given.at(-1);
    if (typeof callback !== 'function')
      return gate.pass(processID, async () => query.apply(this, given));
    // A pool asks by a callback.
    const asked = given.slice(0, -1);
    const done = callback as Callback;
    const send = () =>
      new Promise<void>((resolve) => {
        const answered: Callback = (error, result) => {
          resolve();
          done(error, result);
        };
        query.call(this, ...asked, answered);
      });
    void gate.pass(processID, send);
    return undefined;
  };
}
