import { Command, CommanderError } from 'commander';
import { declareAudit } from './audit.ts';
import { declareBackup } from './backup.ts';
import { declareCells } from './cells.ts';
import { declareClock } from './clock.ts';
import { declareConfig } from './config_check.ts';
import { declareCredentials } from './credentials.ts';
import { type Declaration, declaration } from './declare.ts';
import { declareDoctor } from './doctor.ts';
import { declareDocuments } from './documents.ts';
import { explain } from './explain.ts';
import { declareKeys } from './keys.ts';
import { declareLedger } from './ledger.ts';
import { declareMigrate } from './migrate.ts';
import { declareMembers, declareOperators } from './people.ts';
import { declarePortalTokens } from './portal_tokens.ts';
import { declareRails } from './rails.ts';
import { declareRestore } from './restore.ts';
import { declareSettings } from './settings.ts';
import { declareSignIn } from './sign_in.ts';
import { declareTenants } from './tenants.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';
import { declareWebhooks } from './webhooks.ts';

/** Each declares the commands of its group, in the order of the help. */
const groups: readonly ((declaration: Declaration) => void)[] = [
  declareOperators,
  declareTenants,
  declareMembers,
  declareCredentials,
  declareWebhooks,
  declareDocuments,
  declareSettings,
  declareLedger,
  declareAudit,
  declareMigrate,
  declareBackup,
  declareRestore,
  declareCells,
  declareConfig,
  declareDoctor,
  declareRails,
  declareKeys,
  declareClock,
  declarePortalTokens,
  declareSignIn,
];

const ways = `
Where a command works:
  tenants create, credentials and ledger verify call the running sandbox over HTTP (--base-url: another
  service, with CLIENT_ID and CLIENT_SECRET, or after login). With ENVIRONMENT=production and no --base-url they work
  on the database that DATABASE_URL names, without a running service; credentials and ledger verify also with --tenant.
  clock, portal tokens, login, logout and whoami always call a service. All other commands work on the database, with the settings of the service.`;

/** Declares the commands; each calls `done` with its exit code. */
export function program(terminal: Terminal, done: (code: ExitCode) => void): Command {
  const write = (to: 'out' | 'err') => (text: string) => terminal[to](text.replace(/\n$/, ''));
  const root = new Command('npm run cli --')
    .description('The command line of the payments platform')
    .exitOverride()
    .configureOutput({ writeOut: write('out'), writeErr: write('err') })
    .showHelpAfterError('hint: add --help to see the commands and flags')
    .addHelpText('after', ways);
  for (const declare of groups) declare(declaration(terminal, root, done));
  return root;
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
