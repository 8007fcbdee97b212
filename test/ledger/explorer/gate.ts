import pg from 'pg';
import { exchange, type NamedStatement, type Row } from '../../../engine/database/exchange.ts';

/**
 * Holds the statements of one side back until they are admitted. It wraps `pg` from outside: the
 * service does not know of it.
 */
export interface Gate {
  /** Statements that wait, in the order in which they came. */
  waiting(): number;
  /** Lets the first one through. */
  admit(): void;
  /** The database backend that runs the statement let through; null: there is none. */
  underWay(): number | null;
  /** Every database backend that this side has used. */
  readonly pids: ReadonlySet<number>;
  /** Closes the gate. @param onNews is called when a statement comes or ends */
  close(onNews: () => void): void;
  /** Opens the gate and lets everything through. */
  open(): void;
}

/** Changes a statement: a test breaks the service with it, which must be found. */
export type Rewrite = (text: string) => string;

interface OwnGate extends Gate {
  rewrite: Rewrite | undefined;
  pass<T>(pid: number, send: () => Promise<T>): Promise<T>;
}

const gates = new Map<string, OwnGate>();

/** A gate for the connections whose `application_name` is this. */
export function openGate(name: string, rewrite?: Rewrite): Gate {
  const known = gates.get(name);
  if (known) return Object.assign(known, { rewrite });
  wrapClients();
  const queue: { readonly pid: number; readonly send: () => Promise<unknown> }[] = [];
  const pids = new Set<number>();
  let news: (() => void) | null = null;
  let admitted: (typeof queue)[number] | null = null;

  function admit(): void {
    const statement = queue.shift();
    if (!statement) return;
    admitted = statement;
    const ended = () => {
      if (admitted === statement) admitted = null;
      news?.();
    };
    statement.send().then(ended, ended);
  }

  const gate: OwnGate = {
    rewrite,
    waiting: () => queue.length,
    underWay: () => admitted?.pid ?? null,
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
        // The service has its answer before the next statement goes.
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

/** The members of a client that pg does not declare. */
interface Connected {
  readonly processID: number;
  readonly connectionParameters: { readonly application_name?: string };
}

/** The exchange that the engine sends at once: to the database it is one statement after the other. */
interface Exchange {
  readonly statements: readonly NamedStatement[];
  readonly callback: (error: unknown, rows?: readonly Row[][]) => void;
}

type Asked = Partial<Exchange> & { readonly submit?: unknown; readonly text?: string };

let isDirect = false;

/** One statement, which no gate holds back. */
function sendDirectly(client: pg.Client, statement: NamedStatement) {
  isDirect = true;
  try {
    return exchange(client, [statement]);
  } finally {
    isDirect = false;
  }
}

const plain = (text: string): NamedStatement => ({ name: `gate ${text}`, text, values: [] });

/** Clients with a transaction that goes on over several exchanges. */
const within = new WeakSet<pg.Client>();

/** Sends the statements of an exchange one by one, in the transaction that its Sync would commit. */
async function sendOneByOne(
  client: pg.Client,
  gate: OwnGate,
  { statements, callback }: Exchange,
): Promise<void> {
  const { processID } = client as unknown as Connected;
  const send = (statement: NamedStatement) =>
    gate.pass(processID, () => sendDirectly(client, statement));
  let isBegun = false;
  try {
    const rows: Row[][] = [];
    for (const statement of statements) {
      const { text } = statement;
      if (text.startsWith('begin')) within.add(client);
      else if (!within.has(client) && !isBegun) {
        await send(plain('begin'));
        isBegun = true;
      }
      if (text === 'commit') within.delete(client);
      const rewritten = gate.rewrite ? { ...statement, text: gate.rewrite(text) } : statement;
      const [own = []] = await send(rewritten);
      rows.push(own);
    }
    if (isBegun) await send(plain('commit'));
    callback(null, rows);
  } catch (error) {
    if (isBegun) await send(plain('rollback')).catch(() => {});
    callback(error);
  }
}

let isWrapped = false;

/** Wraps every client of this process, once. */
function wrapClients(): void {
  if (isWrapped) return;
  isWrapped = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    const { connectionParameters, processID } = this as unknown as Connected;
    const gate = gates.get(connectionParameters.application_name ?? '');
    if (!gate || isDirect) return query.apply(this, given);
    const [asked] = given as [Asked];
    if (asked.statements && asked.callback) {
      void sendOneByOne(this, gate, asked as Exchange);
      return asked;
    }
    // A stream (it has `submit`) is no statement of a command.
    if (typeof asked.submit === 'function') return query.apply(this, given);
    if (gate.rewrite && asked.text) given[0] = { ...asked, text: gate.rewrite(asked.text) };
    const done = given.at(-1);
    if (typeof done !== 'function')
      return gate.pass(processID, async () => query.apply(this, given));
    // A pool passes a callback.
    const send = () =>
      new Promise<void>((resolve) => {
        const answered: Callback = (error, result) => {
          resolve();
          (done as Callback)(error, result);
        };
        query.call(this, ...given.slice(0, -1), answered);
      });
    void gate.pass(processID, send);
    return undefined;
  };
}
