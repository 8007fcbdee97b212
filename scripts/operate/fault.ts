import { StoredJsonError } from '../../engine/fail.ts';
import { ConfigError } from '../../service/config/config.ts';

/** A fault that a person at the terminal can mend, and how. */
export class Fault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const settingsHint = 'run it with the settings of the running service.';
const storedHint =
  'set it anew with npm run cli -- settings set; this release does not take what is stored.';
const databaseHint = 'Look at DATABASE_URL and at the database, then try again.';

/** The message of PostgreSQL or the network when there is no session, by code. */
const unreachable: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOENT', 'nothing listens there'],
  ['ENOTFOUND', 'its host is not known'],
  ['ETIMEDOUT', 'it does not answer'],
  ['ECONNRESET', 'it ended the connection'],
  ['57P03', 'it is starting or stopping'],
  ['28P01', 'it refuses the password'],
  ['28000', 'it refuses the login'],
  ['3D000', 'it has no such database'],
]);

/** The lines for the terminal, the hint last. None quotes a setting's value. */
export function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return [...error.faults, `hint: ${settingsHint}`];
  if (error instanceof Fault) return [`error: ${error.message}`, `hint: ${error.hint}`];
  if (error instanceof StoredJsonError) return [`error: ${error.message}`, `hint: ${storedHint}`];
  const { message, code = '', cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  const reason = unreachable.get(code) ?? unreachable.get(codeOf(cause));
  if (reason !== undefined)
    return [`error: the database cannot be reached: ${reason}`, `hint: ${databaseHint}`];
  return [`error: ${message || code || String(error)}`, `hint: ${settingsHint}`];
}

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | null)?.code ?? '');
