import { ApiError } from './fail.ts';

/**
 * Codes of PostgreSQL by their beginnings, after which a session is of no more use, whatever was asked:
 * - 08, 28, 3D000: it broke off, lets the login in no more, or its database is gone.
 * - 25006: it takes no writes. After a failover the address leads elsewhere, this session does not.
 * - 26000, 42P05: its prepared statements are another's. A pooler hands out one session to several.
 * - 53, 58030: no disk, memory or connection is left, or a file cannot be read or written.
 * - 57P: the server stops or starts.
 */
const lostCodes = ['08', '25006', '26000', '28', '3D000', '42P05', '53', '57P', '58030'];

/** Also of a name server that is away, or has no such name any more. */
const socketCodes: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/**
 * The database cannot be reached, or takes no writes, whatever the command did. When the connection broke
 * during a commit, the result of the batch is unknown.
 */
export function connectionLost(error: unknown): boolean {
  // A refusal's message may contain these words too.
  if (error instanceof ApiError) return false;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string') {
    if (lostCodes.some((known) => code.startsWith(known)) || socketCodes.includes(code))
      return true;
  }
  return (
    error instanceof Error && /connection|terminated|not queryable|timeout/i.test(error.message)
  );
}
