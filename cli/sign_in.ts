import { hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type NewApiKey,
  revokeThisApiKey,
} from '@tenant-payments/contract/portal/people/api_keys.ts';
import {
  type BegunDeviceSignIn,
  beginDeviceSignIn,
  pollDeviceSignIn,
} from '@tenant-payments/contract/portal/people/device.ts';
import { getSession } from '@tenant-payments/contract/portal/people/session.ts';
import { roles } from '@tenant-payments/contract/portal/roles.ts';
import { type AnyErrorCode, isCode, TenantPaymentsError } from '@tenant-payments/sdk-server';
import {
  baseUrlOf,
  type ConnectOptions,
  connect,
  connectByKey,
  connectStranger,
  loopback,
  type Portal,
} from './connect.ts';
import { baseUrl, type Declaration, json, print } from './declare.ts';
import { rolesOf } from './roles.ts';
import {
  assertSaving,
  removeKey,
  type SavedKey,
  savedKeyOf,
  savedKeysPath,
  saveKey,
} from './saved_keys.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options extends ConnectOptions {
  readonly json?: true;
}

interface LoginOptions extends Options {
  readonly role?: string;
}

const longestName = 60;

/** `Command line of ana on laptop`: what the page shows, and the list of keys. */
const clientName = (): string =>
  `Command line of ${userInfo().username} on ${hostname()}`.slice(0, longestName);

/** A key must not go in clear over a network. */
function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname)))
    return address;
  const hint = 'Give an https address, or a service on this machine: http://localhost:8080';
  throw new UsageError(`${address} would send the key in clear`, hint);
}

/** After these the next poll may succeed. */
const passing = new Set<AnyErrorCode>([
  'connection_failed',
  'timed_out',
  'internal_error',
  'rate_limited',
]);

/** The seconds to the next poll. @throws the error, if polling again is of no use */
function intervalAfter(error: unknown, seconds: number): number {
  if (!(error instanceof TenantPaymentsError)) throw error;
  if (passing.has(error.code)) return seconds;
  const { reason, interval } = error.details ?? {};
  if (error.code === 'invalid_state' && reason === 'authorization_pending') return seconds;
  if (error.code === 'invalid_state' && reason === 'slow_down')
    return typeof interval === 'number' ? interval : seconds + 5;
  throw error;
}

/** Polls as the service asks for (rules/device-sign-in#2). @throws TenantPaymentsError denied, expired */
async function fetchKey(
  { pause = wait }: Terminal,
  portal: Portal,
  { device_code, interval }: BegunDeviceSignIn,
): Promise<NewApiKey> {
  for (let seconds = interval; ; ) {
    await pause(seconds * 1_000);
    try {
      return (await portal.request(pollDeviceSignIn, { device_code })).data;
    } catch (error) {
      seconds = intervalAfter(error, seconds);
    }
  }
}

const until = (instant: string): string => instant.slice(0, 10);

/** The key of an earlier login is of no use any more. */
async function revokeEarlier(
  terminal: Terminal,
  address: string,
  earlier: SavedKey | null,
): Promise<void> {
  if (!earlier) return;
  try {
    await connectByKey(address, earlier.key).request(revokeThisApiKey);
  } catch (error) {
    if (isCode(error, 'authentication_required')) return;
    terminal.err(`note: the earlier key ${earlier.id} was not revoked; end it in the portal`);
  }
}

/** `login`: a key for whoever approves in the portal, saved for the commands that call it. */
async function login(terminal: Terminal, options: LoginOptions): Promise<ExitCode> {
  const asked = options.role === undefined ? {} : { roles: rolesOf('--role', roles, options.role) };
  const address = checkedAddress(baseUrlOf(terminal, options));
  assertSaving(terminal);
  const portal = connectStranger(address);
  const { data } = await portal.request(beginDeviceSignIn, { client_name: clientName(), ...asked });
  // With --json the answer alone is on standard output.
  const say = options.json ? terminal.err : terminal.out;
  for (const line of [
    `Open  ${data.verification_uri}`,
    `Code  ${data.user_code}`,
    `or    ${data.verification_uri_complete}`,
    `Waiting for somebody to approve, ${data.expires_in / 60} minutes at most.`,
  ])
    say(line);
  const { key, ...shown } = await fetchKey(terminal, portal, data);
  const { id, scope, expires_at } = shown;
  const earlier = savedKeyOf(terminal, address);
  saveKey(terminal, address, { id, key, scope, roles: shown.roles, expires_at });
  await revokeEarlier(terminal, address, earlier);
  return print(terminal, options, { base_url: address, ...shown }, [
    `Signed in with the roles ${shown.roles.join(', ')} until ${until(expires_at)}.`,
    `The key is in ${savedKeysPath(terminal)}, readable to you alone.`,
    `Use it: npm run cli -- whoami --base-url ${address}`,
    `End it: npm run cli -- logout --base-url ${address}`,
    'It opens the portal. The Tenant API (/v1) takes CLIENT_ID and CLIENT_SECRET alone.',
  ]);
}

/** `logout`: revokes the saved key and forgets it. */
async function logout(terminal: Terminal, options: Options): Promise<ExitCode> {
  const address = baseUrlOf(terminal, options);
  const saved = savedKeyOf(terminal, address);
  if (!saved)
    throw new UsageError(
      `no key is saved for ${address}`,
      'Give the address of the login: --base-url',
    );
  try {
    await connectByKey(address, saved.key).request(revokeThisApiKey);
  } catch (error) {
    // It has ended in another way.
    if (!isCode(error, 'authentication_required')) throw error;
  }
  removeKey(terminal, address);
  return print(terminal, options, { base_url: address, id: saved.id, status: 'revoked' }, [
    `Signed out of ${address}: within a second no process takes the key.`,
    `Sign in again with: npm run cli -- login --base-url ${address}`,
  ]);
}

/** A saved key of the address comes before the sandbox's own credentials. */
function connectSaved(terminal: Terminal, options: Options): Portal {
  const address = baseUrlOf(terminal, options);
  const { CLIENT_ID: clientId = '' } = terminal.env;
  const saved = clientId === '' ? savedKeyOf(terminal, address) : null;
  return saved ? connectByKey(address, saved.key) : connect(terminal, options);
}

/** `whoami`: what the portal takes the command line for. */
async function whoami(terminal: Terminal, options: Options): Promise<ExitCode> {
  const { data } = await connectSaved(terminal, options).request(getSession);
  const what = data.kind === 'api_key' ? 'the API key' : 'the client';
  return print(terminal, options, data, [
    `You are ${what} ${data.id}.`,
    `It acts in  ${data.scope ?? 'nothing'}`,
    `Roles       ${data.roles.join(', ')}`,
    'Sign in as somebody else with: npm run cli -- login',
  ]);
}

export function declareSignIn({ terminal, root, add }: Declaration): void {
  const flags = [baseUrl, json];
  const roleFlag = [
    '--role <role,role>',
    'what it may do; all that the approver holds unless given',
  ];
  const about = 'sign in to the portal in a browser, and save a key for this command line';
  add(root, 'login', about, [roleFlag as [string, string], ...flags], (options: LoginOptions) =>
    login(terminal, options),
  );
  add(root, 'logout', 'revoke the saved key and forget it', flags, (options: Options) =>
    logout(terminal, options),
  );
  add(
    root,
    'whoami',
    'show who calls the portal, and with which roles',
    flags,
    (options: Options) => whoami(terminal, options),
  );
}
