import { Command, CommanderError } from 'commander';
import { moveClock, showClock } from './clock.ts';
import { checkConfig } from './config_check.ts';
import { endCredential, endTokens, makeCredential, showCredentials } from './credentials.ts';
import { resealKeys, showKeys } from './keys.ts';
import { verifyTenantLedger } from './ledger.ts';
import { makeTenant } from './tenants.ts';
import { type ExitCode, exitCodes, explain, type Terminal } from './terminal.ts';

const baseUrl = ['--base-url <url>', 'the service to call; by default the running sandbox'];
const json = ['--json', 'print one line of JSON'];

/** A flag that a command shares with its parent is parsed by the parent, wherever it is given. */
const given = <Options extends object>(command: Command): Options => command.optsWithGlobals();

/** Declares the commands; each calls `done` with its exit code. */
function program(terminal: Terminal, done: (code: ExitCode) => void): Command {
  const write = (to: 'out' | 'err') => (text: string) => terminal[to](text.replace(/\n$/, ''));
  const root = new Command('npm run cli --')
    .description('The command line of the payments sandbox')
    .exitOverride()
    .configureOutput({ writeOut: write('out'), writeErr: write('err') })
    .showHelpAfterError('hint: add --help to see the commands and flags');
  const add = (parent: Command, name: string, description: string, flags: string[][]) => {
    const command = parent.command(name).description(description);
    for (const [flag = '', meaning = ''] of flags) command.option(flag, meaning);
    return command;
  };

  const tenants = add(root, 'tenants', 'the tenants of this sandbox', []);
  add(tenants, 'create', 'create a tenant and print its credentials', [
    ['--rate-limit <n>', 'requests in 60 s'],
    baseUrl,
    json,
  ])
    .requiredOption('--name <name>', "the tenant's name")
    .action(async (_, command: Command) => done(await makeTenant(terminal, given(command))));

  const clock = add(root, 'clock', "show the tenant's clock", [baseUrl, json]);
  clock.action(async (_, command: Command) => done(await showClock(terminal, given(command))));
  add(clock, 'advance', 'move the clock forward and run the jobs that fall due', [
    ['--seconds <n>', 'by this many seconds'],
    ['--to <time>', 'to this date and time'],
    baseUrl,
    json,
  ]).action(async (_, command: Command) => done(await moveClock(terminal, given(command))));

  const ledger = add(root, 'ledger', 'the double-entry ledger', []);
  add(ledger, 'verify', 'check the ledger; exit code 1 on a violation', [baseUrl, json]).action(
    async (_, command: Command) => done(await verifyTenantLedger(terminal, given(command))),
  );

  const config = add(root, 'config', 'the settings of the service', []);
  add(config, 'check', 'check whether the service would start', [json]).action(
    (_, command: Command) => done(checkConfig(terminal, given(command))),
  );
  addCredentials(terminal, add, root, done);
  const keys = add(root, 'keys', 'the key rings of the service', []);
  add(keys, 'status', 'what rests on each key, and what to do next', [json]).action(
    (_, command: Command) => done(showKeys(terminal, given(command))),
  );
  add(keys, 'reseal', 'seal anew what older keys have sealed', [json]).action(
    (_, command: Command) => done(resealKeys(terminal, given(command))),
  );
  return root;
}

/** The commands on the secrets of a Tenant's client. */
function addCredentials(
  terminal: Terminal,
  add: (parent: Command, name: string, description: string, flags: string[][]) => Command,
  root: Command,
  done: (code: ExitCode) => void,
): void {
  const credentials = add(root, 'credentials', "the secrets of the tenant's client", []);
  const flags = [baseUrl, json];
  add(credentials, 'list', 'list the secrets, without their values', flags).action(
    async (_, command: Command) => done(await showCredentials(terminal, given(command))),
  );
  add(credentials, 'create', 'create a second secret, shown only once', flags).action(
    async (_, command: Command) => done(await makeCredential(terminal, given(command))),
  );
  add(credentials, 'retire <id>', 'retire a secret; the last active one stays', flags).action(
    async (id: string, _, command: Command) =>
      done(await endCredential(terminal, id, given(command))),
  );
  add(credentials, 'revoke-tokens', "end all access tokens of the tenant's client", flags).action(
    async (_, command: Command) => done(await endTokens(terminal, given(command))),
  );
}

/** Runs one command line; resolves to its exit code (0 done, 1 failed, 2 wrong usage). */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  try {
    const commands = program(terminal, (result) => {
      code = result;
    });
    await commands.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(terminal, error);
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}
