import { connectionLost, isTlsFault } from '@tenant-payments/engine/lost.ts';

/** Beginnings of PostgreSQL's codes, and what an operator looks at first. */
const causes = [
  ['25006', 'database_read_only'],
  ['28', 'database_refuses_login'],
  ['3D000', 'database_refuses_login'],
  ['53', 'database_out_of_space'],
  ['58030', 'database_out_of_space'],
  ['57P', 'database_stopping'],
] as const;

export type DatabaseCause = (typeof causes)[number][1] | 'database_unreachable' | 'tls';

/** Why the database is away, as log lines say it; null: it is not, or this is no fault of it. */
export function databaseCause(error: unknown): DatabaseCause | null {
  if (!connectionLost(error)) return null;
  const { code } = error as { readonly code?: unknown };
  if (isTlsFault(code)) return 'tls';
  const known = causes.find(([begin]) => typeof code === 'string' && code.startsWith(begin));
  return known?.[1] ?? 'database_unreachable';
}
