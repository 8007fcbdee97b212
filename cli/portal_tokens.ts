import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '@tenant-payments/backoffice/contract/people/api_keys.ts';
import { longestKey } from '@tenant-payments/contract/core/key_lives.ts';
import { roles } from '@tenant-payments/contract/core/roles.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { baseUrl, type Declaration, json, print } from './declare.ts';
import { rolesOf } from './roles.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options extends ConnectOptions {
  readonly json?: true;
}

interface CreateOptions extends Options {
  readonly name: string;
  readonly roles: string;
  readonly days?: string;
}

const dayMs = 86_400_000;
const usualDays = 90;

/** `portal tokens list`: the newest hundred keys, without their values. */
async function list(terminal: Terminal, options: Options): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(listApiKeys, { limit: 100 });
  const words = data.data.map(
    (key) =>
      `${key.id}  ${key.status}  ${key.roles.join(',')}  until ${key.expires_at}  ${key.name}`,
  );
  const next = 'Make another with: portal tokens create; end one with: portal tokens revoke ID';
  return print(terminal, options, data, [...words, next]);
}

function expiryOf(days: string): string {
  const isNumber = /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 365;
  if (isNumber) return new Date(Date.now() + Number(days) * dayMs - 60_000).toISOString();
  throw new UsageError(`--days ${days} is not 1 to 365`, 'Give the days until it ends: --days 30');
}

/** `portal tokens create`: an API key for the portal's JSON, shown this once. */
async function create(terminal: Terminal, options: CreateOptions): Promise<ExitCode> {
  const { name } = options;
  const given = rolesOf('--roles', roles, options.roles);
  const days = options.days ?? String(Math.min(usualDays, longestKey(given) / 86_400));
  const asked = { name, roles: given, expires_at: expiryOf(days) };
  const { data } = await connect(terminal, options).request(createApiKey, asked);
  return print(terminal, options, data, [
    `key id   ${data.id}`,
    `api key  ${data.key}`,
    'Save the key now: it is shown only once. Send it as: Authorization: Bearer KEY',
    `End it with: portal tokens revoke ${data.id}`,
  ]);
}

/** `portal tokens revoke`: within a second no process takes the key. */
async function revoke(terminal: Terminal, id: string, options: Options): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(revokeApiKey, id);
  return print(terminal, options, data, [
    `Revoked ${data.id}: within a second no process takes it.`,
    'See the others with: portal tokens list',
  ]);
}

export function declarePortalTokens({ root, terminal, add }: Declaration): void {
  const portal = add(root, 'portal', "the portal's JSON for programs", []);
  const tokens = add(portal, 'tokens', 'API keys of the tenant, for programs', []);
  const flags = [baseUrl, json];
  add(tokens, 'list', 'list the keys, without their values', flags, (options) =>
    list(terminal, options),
  );
  const creating = [
    ['--name <text>', 'what it is for', 'required'],
    ['--roles <role,role>', 'what it may do', 'required'],
    ['--days <n>', `until it ends; ${usualDays} unless given, with reviewer or admin 1`],
    ...flags,
  ] as const;
  add(tokens, 'create', 'make a key, shown only once', creating, (options: CreateOptions) =>
    create(terminal, options),
  );
  add(tokens, 'revoke <id>', 'revoke a key', flags, (options, [id = '']) =>
    revoke(terminal, id, options),
  );
}
