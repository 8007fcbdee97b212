import { type AnyErrorCode, TenantPaymentsError } from '@tenant-payments/sdk-server';
import { type ExitCode, exitCodes, FaultLines, type Terminal, UsageError } from './terminal.ts';

const wrongCredentials =
  'The service at this address does not take these credentials: set DATA_DIR to the folder of the running sandbox, write the client secret that is active into its sandbox.json, see with `tenants list` whether the tenant is suspended, or sign in again with `login`.';

/** The next step, by error code. */
type Hints = { readonly [C in AnyErrorCode]?: string };

const hints: Hints = {
  connection_failed:
    'Start the sandbox with `npm start`, or give the address of another service with --base-url.',
  timed_out:
    'The service did not answer in time: look at its log and at GET /readyz, then try again.',
  unexpected_reply: 'Check that this is the address of the service and that it has this version.',
  invalid_client: wrongCredentials,
  authentication_required: wrongCredentials,
  invalid_state:
    'Another operation of this kind is under way: wait until it has ended and try again.',
  forbidden: 'Your roles do not allow this there: see them with `whoami`.',
  step_up_required: 'No key may do this: do it in the portal, where you prove a passkey.',
  not_found: 'The service has no such path: check that it is a sandbox of this version.',
  parameter_missing: 'Give it and try again.',
  parameter_invalid: 'Correct the value and try again.',
  rate_limited: 'Wait a moment and try again.',
  internal_error: "Look for the request id in the service's log.",
};

/** Hints for codes with several causes, by the reason in its details. */
const hintsByReason: Readonly<Record<string, string>> = {
  too_many_active: 'List the secrets, and retire the one that is deployed nowhere any more.',
  last_active: 'Make another secret and deploy it, then retire this one.',
  access_denied: 'Somebody refused it, or may not give it any more. Begin again with: login',
  expired_token: 'The code has ended. Begin again with: login',
  choose_tenant:
    'Your key is for the platform. Choose a tenant in the portal, then run login again.',
  unknown_tenant: 'List the tenants with: npm run cli -- tenants list',
  already_suspended: 'See why with: npm run cli -- tenants show ID',
  not_suspended: 'See how it is with: npm run cli -- tenants show ID',
};

/** The hint where the database was asked instead of a service: no reply had a status. */
const unknownId = 'Nothing here has this id: take one from the list command.';

/**
 * Writes an error with its code, request id and a hint.
 * @param own hints of this command line, by code or reason
 * @throws an error of another kind
 */
export function explain(
  terminal: Terminal,
  error: unknown,
  own: Readonly<Record<string, string>> = {},
): ExitCode {
  if (error instanceof UsageError) {
    terminal.err(`error: ${error.message}`);
    terminal.err(`hint: ${error.hint}`);
    return exitCodes.usage;
  }
  if (error instanceof FaultLines) {
    for (const line of error.lines) terminal.err(line);
    return exitCodes.failed;
  }
  if (!(error instanceof TenantPaymentsError)) throw error;
  terminal.err(`error: ${error.message}`);
  if (error.param !== null) terminal.err(`param: ${error.param}`);
  if (error.details !== null) terminal.err(`details: ${JSON.stringify(error.details)}`);
  const isUnknownId = error.code === 'not_found' && error.status === null;
  const byCode = own[error.code] ?? (isUnknownId ? unknownId : hints[error.code as AnyErrorCode]);
  const reason = String(error.details?.reason);
  const hint = own[reason] ?? hintsByReason[reason] ?? byCode;
  if (hint !== undefined) terminal.err(`hint: ${hint}`);
  return exitCodes.failed;
}
