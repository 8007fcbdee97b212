import { ConfigError, parseConfig } from '../service/config/config.ts';

/**
 * What `npm run cli -- config check` runs: reads the settings as a start would and changes nothing.
 * One line for each fault and exit code 1, as a start says it (surfaces: Start). The command line
 * knows the contract alone, so this stands between it and the service.
 */
try {
  parseConfig(process.env);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.faults.join('\n')}\n`);
  process.exitCode = 1;
}
