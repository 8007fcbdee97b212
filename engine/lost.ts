import { ApiError } from './fail.ts';

interface DatabaseFailure {
  readonly code?: unknown;
  readonly routine?: unknown;
  readonly message?: unknown;
}

const asFailure = (error: unknown): DatabaseFailure =>
  // A refusal's message may contain the same words.
  typeof error === 'object' && error !== null && !(error instanceof ApiError) ? error : {};

/**
 * Faults of a session that knows the schema as it was before a migration, or statements that are not its own.
 * What failed has done nothing, and fails in this session for ever:
 * - 0A000: a prepared statement answers with other columns than when it was prepared.
 * - 26000, 42P05: its prepared statements are gone, or another's. A pooler hands out one session to several.
 * - XX000: a plan names what was dropped meanwhile.
 */
const staleFaults: readonly ((failure: DatabaseFailure) => boolean)[] = [
  ({ code, routine }) => code === '0A000' && routine === 'RevalidateCachedQuery',
  ({ code }) => code === '26000' || code === '42P05',
  ({ code, message }) =>
    code === 'XX000' && /^(cache lookup failed|could not open relation)/.test(String(message)),
];

/** The session's knowledge is stale: another session can do what this one could not. */
export function sessionStale(error: unknown): boolean {
  const failure = asFailure(error);
  return staleFaults.some((isFault) => isFault(failure));
}

/**
 * Codes of PostgreSQL by their beginnings, after which a session is of no more use, whatever was asked:
 * - 08, 28, 3D000: it broke off, lets the login in no more, or its database is gone.
 * - 25006: it takes no writes. After a failover the address leads elsewhere, this session does not.
 * - 53, 58030: no disk, memory or connection is left, or a file cannot be read or written.
 * - 57P: the server stops or starts.
 */
const lostCodes = ['08', '25006', '28', '3D000', '53', '57P', '58030'];

/** The server has ended the session, or it leads to a server that takes no writes: the next one may do. */
const endedCodes = ['25006', '57P01', '57P02'];

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

/** Node's codes of a certificate or a protocol that is refused: it has ended, or it is of another name or authority. */
const tlsCodes =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO)/;

/** The connection would not be the database's, or not protected. */
export const isTlsFault = (code: unknown): boolean =>
  typeof code === 'string' && tlsCodes.test(code);

/**
 * The database cannot be reached, or takes no writes, whatever the command did; or its session is stale. When the
 * connection broke during a commit, the result of the batch is unknown.
 */
export function connectionLost(error: unknown): boolean {
  if (error instanceof ApiError) return false;
  const { code } = asFailure(error);
  if (typeof code === 'string') {
    if (lostCodes.some((known) => code.startsWith(known)) || socketCodes.includes(code))
      return true;
  }
  if (sessionStale(error) || isTlsFault(code)) return true;
  return (
    error instanceof Error && /connection|terminated|not queryable|timeout/i.test(error.message)
  );
}

/** The session was ended under its statement, by the server or with the socket: not by a deadline of ours. */
export function sessionEnded(error: unknown): boolean {
  const { code, message } = asFailure(error);
  return (
    endedCodes.includes(String(code)) ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /^(Connection terminated unexpectedly|the connection was lost)|not queryable/.test(
      String(message),
    )
  );
}
