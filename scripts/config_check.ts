import { ConfigError, parseConfig } from '../service/config/config.ts';

/**
 * `npm run cli -- config check` runs this: it reads the settings like a start and changes nothing.
 * On errors it prints one line for each, like a start, and exits with code 1 (rules/operations#4).
 * It is a script, since the command line does not import the service.
 */
try {
  parseConfig(process.env);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.faults.join('\n')}\n`);
  process.exitCode = 1;
}
