import { type AnyErrorCode, TenantPaymentsError } from '@tenant-payments/sdk-server';

/** Where a command reads its settings and writes what it has to say. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes one line without its end. */
  out(line: string): void;
  err(line: string): void;
}

/** `failed`: refused, unreachable or a check that found something; `usage`: nothing was tried. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The caller's mistake, found before anything was sent. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const wrongCredentials =
  'These credentials are not of the service at this address: is DATA_DIR that of the running sandbox?';

/** What to do about an error, where that can be said. */
const hints: { readonly [C in AnyErrorCode]?: string } = {
  connection_failed:
    'Is the sandbox running? Start it with `npm start`, or name another with --base-url.',
  timed_out: 'The service did not answer in time: see its log and GET /readyz.',
  unexpected_reply: 'Is this the address of the service, and is it of this version?',
  invalid_client: wrongCredentials,
  authentication_required: wrongCredentials,
  invalid_state: 'Something of the kind is under way: wait for it and try again.',
  not_found: 'The service has no such path: is it of this version, and a sandbox?',
  parameter_invalid: 'Correct the value and try again.',
  rate_limited: 'Wait a moment and try again.',
  internal_error: "Look for the request id in the service's log.",
};

/** Writes an error with its code, request id and a hint; anything unforeseen is thrown on. */
export function explain(terminal: Terminal, error: unknown): ExitCode {
  if (error instanceof UsageError) {
    terminal.err(`error: ${error.message}`);
    terminal.err(`hint: ${error.hint}`);
    return exitCodes.usage;
  }
  if (!(error instanceof TenantPaymentsError)) throw error;
  terminal.err(`error: ${error.message}`);
  if (error.param !== null) terminal.err(`param: ${error.param}`);
  if (error.details !== null) terminal.err(`details: ${JSON.stringify(error.details)}`);
  const hint = hints[error.code];
  if (hint !== undefined) terminal.err(`hint: ${hint}`);
  return exitCodes.failed;
}
