import { revokeThisApiKey } from '@tenant-payments/backoffice/contract/people/api_keys.ts';
import { roles } from '@tenant-payments/contract/core/roles.ts';
import { isCode } from '@tenant-payments/sdk-server';
import { connectByKey } from '../../connect.ts';
import { print } from '../../declare.ts';
import { askForKey, checkedAddress, revokeEarlier } from '../../device_flow.ts';
import { rolesOf } from '../../roles.ts';
import { addressOf } from '../../saved_keys.ts';
import { type ExitCode, FaultLines, UsageError } from '../../terminal.ts';
import { accountOf } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import {
  keptAt,
  profileNameOf,
  profilesPath,
  readProfiles,
  saveProfile,
  useProfile,
  writeProfiles,
} from '../profiles.ts';
import { fetchTemporary } from './temporary.ts';

interface LoginOptions extends Options {
  readonly role?: string;
}

const nobodyToAsk = [
  'error: login waits for somebody to approve it, and --no-input forbids to wait',
  'hint: Set PAY_CLIENT_ID and PAY_CLIENT_SECRET instead.',
];

/** `login`: a key of the portal for a profile (rules/tpay#3). */
async function login(terminal: Console, options: LoginOptions): Promise<ExitCode> {
  if (options.input === false) throw new FaultLines(nobodyToAsk);
  const asked = options.role === undefined ? {} : { roles: rolesOf('--role', roles, options.role) };
  const name = profileNameOf(terminal, options.profile);
  const saved = readProfiles(terminal);
  const given = options.baseUrl ?? terminal.env.PAY_BASE_URL ?? saved.profiles[name]?.base_url;
  const address = checkedAddress(addressOf(given ?? accountOf(terminal, { ...options }).baseUrl));
  // Nobody is asked for a key that could not be saved.
  keptAt(terminal, name, address);
  writeProfiles(terminal, saved);
  const say = options.json ? terminal.err : terminal.out;
  const { key, ...shown } = await askForKey(terminal, address, asked, say);
  const { id, scope, expires_at } = shown;
  const before = readProfiles(terminal).profiles[name];
  const newKey = { id, key, scope, roles: shown.roles, expires_at };
  const temporary = await fetchTemporary(address, key);
  const { temporary: _, ...lasting } = keptAt(terminal, name, address);
  saveProfile(terminal, name, {
    ...lasting,
    base_url: address,
    key: newKey,
    ...(temporary ? { temporary } : {}),
  });
  useProfile(terminal, name);
  if (before?.key) await revokeEarlier(terminal, before.base_url, before.key);
  return print(terminal, options, { profile: name, base_url: address, ...shown }, [
    `Signed in as profile ${name} with the roles ${shown.roles.join(', ')} until ${expires_at.slice(0, 10)}; commands use it from now on.`,
    `The key is in ${profilesPath(terminal)}, readable to you alone.`,
    ...(temporary || lasting.client_id
      ? ['It opens the portal and the Tenant API. Begin with: tpay trigger payment.completed']
      : [
          'It opens the portal. For the Tenant API (/v1) save a client too:',
          `  tpay profiles add ${name} --client-id ID`,
        ]),
    'See where you are with: tpay status',
  ]);
}

/** `logout`: revokes the profile's key and forgets it; a client that was saved stays. */
async function logout(terminal: Console, options: Options): Promise<ExitCode> {
  const name = profileNameOf(terminal, options.profile);
  const profile = readProfiles(terminal).profiles[name];
  if (!profile?.key)
    throw new UsageError(`profile ${name} has no key`, 'See the profiles with: tpay profiles');
  const { key, temporary: _, ...rest } = profile;
  try {
    await connectByKey(profile.base_url, key.key).request(revokeThisApiKey);
  } catch (error) {
    // The sign-in has ended in another way.
    if (!isCode(error, 'authentication_required')) throw error;
  }
  saveProfile(terminal, name, rest.client_id ? rest : null);
  return print(terminal, options, { profile: name, id: key.id, status: 'revoked' }, [
    `Signed out of ${profile.base_url}: within a second no process takes the key.`,
    'Sign in again with: tpay login',
  ]);
}

export const declareLogin: Declare = ({ terminal, fill }, command) => {
  const role = '--role <role,role>';
  const about =
    'what it may do; all that the approver holds unless given, but roles of staff only by name';
  fill<LoginOptions>(command, [[role, about]], (options) => login(terminal, options));
};

export const declareLogout: Declare = ({ terminal, fill }, command) => {
  fill<Options>(command, [], (options) => logout(terminal, options));
};
