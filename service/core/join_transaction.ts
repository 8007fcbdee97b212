import type { Kysely } from 'kysely';

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export const joinTransaction = <DB, T>(
  db: Kysely<DB>,
  work: (tx: Kysely<DB>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db) : db.transaction().execute(work));
