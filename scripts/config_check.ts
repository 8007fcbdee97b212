import { adapterSettings } from '../adapters/settings.ts';
import { sessionFaults } from '../fleet/prove_sessions.ts';
import { warningsOf } from '../service/config/careless.ts';
import { ConfigError, parseConfig } from '../service/config/config.ts';

/**
 * `npm run cli -- config check` runs this: it reads the settings like a start and changes nothing.
 * With `--connect` it also connects to the databases that they name. On errors it prints one line for
 * each, like a start, and exits with code 1 (rules/operations#4); warnings go to standard output. It is
 * a script, since the command line does not import the service.
 */
async function faultsOf(connects: boolean): Promise<readonly string[]> {
  try {
    const config = parseConfig(process.env, adapterSettings);
    const { databaseUrl } = config;
    return connects && databaseUrl !== null ? await sessionFaults(config, databaseUrl) : [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

async function check(): Promise<void> {
  const warnings = process.env.ENVIRONMENT === 'production' ? warningsOf(Date.now()) : [];
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
  const faults = await faultsOf(process.argv.includes('--connect'));
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}

void check();
