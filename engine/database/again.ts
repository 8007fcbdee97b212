import { PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { sessionEnded, sessionStale } from '../lost.ts';

const isRead = (text: string): boolean => /^\s*select\b/i.test(text);
/** Refused before it did anything, whatever it was. */
const isReadOnly = (error: unknown) => (error as { code?: unknown }).code === '25006';

/**
 * Sends a statement that is a transaction of its own, and again in another session where this one was stale or
 * ended: of one that was ended only what reads, or was refused (rules/engine#39).
 * @param most so many sessions may be stale
 */
export async function again<T>(text: string, most: number, send: () => Promise<T>): Promise<T> {
  let wasEnded = false;
  for (let stale = 0; ; )
    try {
      return await send();
    } catch (error) {
      const isSafe = sessionEnded(error) && (isRead(text) || isReadOnly(error));
      if (sessionStale(error) ? stale === most : wasEnded || !isSafe) throw error;
      if (sessionStale(error)) stale += 1;
      else wasEnded = true;
    }
}

type Query = (...args: unknown[]) => Promise<unknown>;

const textOf = (asked: unknown): string | null => {
  if (typeof asked === 'string') return asked;
  const { text, submit } = asked as { text?: string; submit?: unknown };
  // A query that speaks to the server itself, such as a COPY, is not sent twice.
  return submit === undefined ? (text ?? null) : null;
};

/** Makes `pool.query` such. */
export function queryAgain(pool: pg.Pool, most: number): void {
  const query = pool.query.bind(pool) as unknown as Query;
  const asked: Query = (...args) => {
    const text = textOf(args[0]);
    return text === null || typeof args.at(-1) === 'function'
      ? query(...args)
      : again(text, most, () => query(...args));
  };
  pool.query = asked as typeof pool.query;
}

const begins = /^(begin|start transaction)\b/;

/**
 * How kysely uses a pool: each statement outside of a transaction has a session of its own, and so a second one
 * where the first is of no more use.
 */
export function kyselyDialect(pool: pg.Pool): PostgresDialect {
  const alone = async (text: string, values: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      return await client.query(text, [...values]);
    } finally {
      client.release();
    }
  };
  const connect = async () => {
    let held: pg.PoolClient | null = null;
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (held === null && !begins.test(text))
        return again(text, pool.options.max, () => alone(text, values));
      held ??= await pool.connect();
      return held.query(text, [...values]);
    };
    return { query, release: () => held?.release() };
  };
  const sessions = { connect, end: () => pool.end() };
  return new PostgresDialect({ pool: sessions as unknown as PostgresPool });
}
