import { type Flag, print } from '../../declare.ts';
import { checkedAddress } from '../../device_flow.ts';
import { addressOf } from '../../saved_keys.ts';
import { type ExitCode, FaultLines, UsageError } from '../../terminal.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import {
  keptAt,
  profileNameOf,
  profilesPath,
  readProfiles,
  saveProfile,
  useProfile,
} from '../profiles.ts';
import { columns } from '../show.ts';

interface AddOptions extends Options {
  readonly clientId?: string;
}

/** `profiles`: each with its address and what opens it, without any secret. */
function list(terminal: Console, options: Options): ExitCode {
  const { current, profiles } = readProfiles(terminal);
  const rows = Object.entries(profiles).map(([name, { base_url, key, client_id }]) => ({
    name,
    current: name === current,
    base_url,
    client_id: client_id ?? null,
    key: key ? { id: key.id, roles: key.roles, expires_at: key.expires_at } : null,
  }));
  const words = rows.map((row) => [
    row.current ? '*' : '',
    row.name,
    row.base_url,
    row.client_id ?? 'no client',
    row.key ? `${row.key.roles.join(',')} until ${row.key.expires_at.slice(0, 10)}` : 'no key',
  ]);
  const none =
    'No profile is saved. Add one with tpay login, or: tpay profiles add NAME --base-url URL';
  return print(terminal, options, { data: rows }, rows.length > 0 ? columns(words) : [none]);
}

/** Never from the command line, where a list of processes would show it. */
async function readSecret(terminal: Console, options: Options): Promise<string> {
  const given = terminal.env.PAY_CLIENT_SECRET;
  if (given?.trim()) return given.trim();
  if (terminal.ask && options.input !== false)
    return (await terminal.ask('Client secret: ')).trim();
  throw new FaultLines([
    'error: the client secret is not known, and nobody can be asked',
    'hint: Set PAY_CLIENT_SECRET for this command.',
  ]);
}

async function add(terminal: Console, options: AddOptions, given: string): Promise<ExitCode> {
  const name = profileNameOf(terminal, given);
  const saved = readProfiles(terminal).profiles[name];
  const address = options.baseUrl ?? terminal.env.PAY_BASE_URL ?? saved?.base_url;
  if (address === undefined)
    throw new UsageError('the address is missing', 'Give it: --base-url https://pay.example.com');
  const baseUrl = checkedAddress(addressOf(address));
  const kept = keptAt(terminal, name, baseUrl);
  const client = options.clientId
    ? { client_id: options.clientId, client_secret: await readSecret(terminal, options) }
    : {};
  saveProfile(terminal, name, { ...kept, base_url: baseUrl, ...client });
  const facts = { name, base_url: baseUrl, client_id: options.clientId ?? null };
  return print(terminal, options, facts, [
    `Saved profile ${name} for ${baseUrl} in ${profilesPath(terminal)}, readable to you alone.`,
    `Use it with --profile ${name}, or for all commands: tpay profiles use ${name}`,
  ]);
}

/** @throws UsageError for a name that is not saved */
function known(terminal: Console, name: string): void {
  if (readProfiles(terminal).profiles[name]) return;
  throw new UsageError(`there is no profile ${name}`, 'See them with: tpay profiles');
}

function use(terminal: Console, options: Options, name: string): ExitCode {
  known(terminal, name);
  useProfile(terminal, name);
  return print(terminal, options, { current: name }, [`Commands now use profile ${name}.`]);
}

function remove(terminal: Console, options: Options, name: string): ExitCode {
  known(terminal, name);
  saveProfile(terminal, name, null);
  return print(terminal, options, { removed: name }, [
    `Forgot profile ${name}. A key that it had still works until it ends: see the portal.`,
  ]);
}

export const declareProfiles: Declare = ({ terminal, fill, add: below }, command) => {
  fill<Options>(command, [], (options) => list(terminal, options));
  const client: Flag = [
    '--client-id <id>',
    'a client; its secret comes from PAY_CLIENT_SECRET or is asked for',
  ];
  below<AddOptions>(
    command,
    'add <name>',
    'save an address and a client',
    [client],
    (options, [name = '']) => add(terminal, options, name),
  );
  below<Options>(command, 'use <name>', 'use it for all commands', [], (options, [name = '']) =>
    use(terminal, options, name),
  );
  below<Options>(command, 'remove <name>', 'forget it', [], (options, [name = '']) =>
    remove(terminal, options, name),
  );
};
