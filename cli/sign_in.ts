import { revokeThisApiKey } from '@tenant-payments/backoffice/contract/people/api_keys.ts';
import { getSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { roles } from '@tenant-payments/contract/core/roles.ts';
import { isCode } from '@tenant-payments/sdk-server';
import { baseUrlOf, type ConnectOptions, connect, connectByKey, type Portal } from './connect.ts';
import { baseUrl, type Declaration, json, print } from './declare.ts';
import { askForKey, checkedAddress, revokeEarlier } from './device_flow.ts';
import { rolesOf } from './roles.ts';
import { assertSaving, removeKey, savedKeyOf, savedKeysPath, saveKey } from './saved_keys.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options extends ConnectOptions {
  readonly json?: true;
}

interface LoginOptions extends Options {
  readonly role?: string;
}

const until = (instant: string): string => instant.slice(0, 10);

/** `login`: a key for whoever approves in the portal, saved for the commands that call it. */
async function login(terminal: Terminal, options: LoginOptions): Promise<ExitCode> {
  const asked = options.role === undefined ? {} : { roles: rolesOf('--role', roles, options.role) };
  const address = checkedAddress(baseUrlOf(terminal, options));
  assertSaving(terminal);
  // With --json the answer alone is on standard output.
  const say = options.json ? terminal.err : terminal.out;
  const { key, ...shown } = await askForKey(terminal, address, asked, say);
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
    // The sign-in has ended in another way.
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
    'what it may do; all that the approver holds unless given, but roles of staff only by name',
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
