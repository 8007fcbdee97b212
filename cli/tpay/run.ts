import { Command, CommanderError } from 'commander';
import { type Declaration, declaration } from '../declare.ts';
import { type ExitCode, exitCodes } from '../terminal.ts';
import type { Console, Options } from './options.ts';
import { families } from './table.ts';

const after = `
Where a command calls:
  The sandbox on this machine, found by DATA_DIR or a folder .data here or above, needs nothing.
  Another service wants tpay login, or PAY_BASE_URL, PAY_CLIENT_ID and PAY_CLIENT_SECRET.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, and nothing was sent.
Try: tpay status`;

/** The next step, by error code or reason. */
const hints = {
  connection_failed: 'See where it calls with: tpay status. Give another address with --base-url.',
  invalid_client: 'See which credentials it sends with: tpay status',
  authentication_required: 'The key or client has ended. Sign in again with: tpay login',
  forbidden: 'Your roles do not allow this there: see them with tpay whoami.',
  sandbox_only: 'This works in a sandbox alone: see where you are with tpay status.',
  not_found: 'Look for it with: tpay records search TEXT',
  idempotency_key_reused: 'The key was used for another call: leave --idempotency-key out.',
  access_denied: 'Somebody refused it, or may not give it. Begin again with: tpay login',
  expired_token: 'The code has ended. Begin again with: tpay login',
  no_endpoint: 'Set an endpoint in the portal, or use tpay listen.',
};

const rootFlags = [
  ['--profile <name>', 'the account to use; see tpay profiles'],
  ['--base-url <url>', 'the service to call'],
  ['--json', 'print one line of JSON'],
  ['--no-input', 'never ask; fail where an answer is needed'],
] as const;

const readVersion = () => process.env.TPAY_VERSION ?? 'source';

interface Program {
  readonly root: Command;
  /** Declares what stands below a first word. */
  load(command: Command): Promise<void>;
}

/** Declares the first words; a word's own commands are loaded before they are parsed. */
function program(
  terminal: Console,
  done: (code: ExitCode) => void,
  begins: (options: Options) => void,
): Program {
  const write = (to: 'out' | 'err') => (text: string) => terminal[to](text.replace(/\n$/, ''));
  const root = new Command('tpay')
    .description('Tenant Payments from the command line')
    .version(readVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: write('out'), writeErr: write('err') })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('hint: add --help to see the commands and flags')
    .addHelpText('after', after);
  const declared: Declaration = declaration(terminal, root, done);
  declared.fill(root, rootFlags);
  for (const [name, { about, takes = '' }] of Object.entries(families))
    root.command(`${name} ${takes}`.trim()).description(about);
  const load = async (command: Command): Promise<void> => {
    const family = families[command.name()];
    if (family) (await family.load())(declared, command);
  };
  root.hook('preSubcommand', (_, command) => load(command));
  root.hook('preAction', async (_, command) => {
    begins(command.optsWithGlobals());
    const { renewTemporary } = await import('./account/temporary.ts');
    await renewTemporary(terminal, command.optsWithGlobals());
  });
  return { root, load };
}

/** `help payments create` is `payments create --help`, so that it is loaded like any other. */
const withHelp = ([first, ...rest]: readonly string[]): string[] =>
  first === 'help' ? [...rest, '--help'] : first === undefined ? ['--help'] : [first, ...rest];

async function explained(terminal: Console, error: unknown, options: Options): Promise<ExitCode> {
  // A fault of usage needs nothing of the service's client.
  const { explain } = await import('../explain.ts');
  const { code } = Object(error) as { readonly code?: keyof typeof hints };
  if (code !== 'invalid_client' && code !== 'authentication_required')
    return explain(terminal, error, hints);
  const { hintOfRefused } = await import('./refused_caller.ts');
  const known = await hintOfRefused(code, terminal, options);
  return explain(terminal, error, known === null ? hints : { ...hints, [code]: known });
}

/** Runs one command line; resolves to its exit code (0 done, 1 failed, 2 wrong usage). */
export async function run(args: readonly string[], terminal: Console): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  let given: Options = {};
  try {
    const done = (result: ExitCode) => {
      code = result;
    };
    const { root, load } = program(terminal, done, (options) => {
      given = options;
    });
    if (args[0] === '__complete') {
      const { complete } = await import('./completion/complete.ts');
      return await complete(terminal, root, load, args.slice(1));
    }
    await root.parseAsync(withHelp(args), { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explained(terminal, error, given);
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}
