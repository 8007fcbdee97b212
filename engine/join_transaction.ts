import type { Kysely, Transaction } from 'kysely';
import { rerunning } from './rerunning.ts';

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export const joinTransaction = <DB, T>(
  db: Kysely<DB>,
  work: (tx: Kysely<DB>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db) : db.transaction().execute(work));

/** Runs `work` in a transaction of its own, again where another one changed what it read. */
export const ownTransaction = <DB, T>(
  db: Kysely<DB>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> => rerunning(() => db.transaction().execute(work));
