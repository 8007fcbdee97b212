import { adapterSettings } from '../adapters/settings.ts';
import { ConfigError, type ParsedConfig, parseConfig } from '../service/config/config.ts';
import { databases } from './doctor/database.ts';
import { type Finding, failed, ok } from './doctor/finding.ts';
import { address, disk, files, node, ports } from './doctor/machine.ts';
import { rails } from './doctor/rails.ts';

/**
 * `npm run cli -- doctor` runs this: it looks at all that a process of these settings needs, changes nothing, and
 * prints one line of JSON (rules/operations#86). It is a script, since the command line does not import the service.
 */
function settingsOf(): ParsedConfig | readonly Finding[] {
  try {
    return parseConfig(process.env, adapterSettings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => failed('settings', fault, 'Correct this setting.'));
  }
}

async function look(): Promise<readonly Finding[]> {
  const settings = settingsOf();
  if ('length' in settings) return [node(), ...settings];
  const { environment, roles } = settings;
  const found = await Promise.all([
    [ok('settings', `valid: ${environment}, ${[...roles].join(' and ')}`), node()],
    files(process.env, settings),
    disk(settings).then((one) => [one]),
    ports(settings).then((one) => [one]),
    roles.has('api') ? address(settings).then((one) => [one]) : [],
    databases(settings),
    rails(settings),
  ]);
  return found.flat();
}

process.stdout.write(`${JSON.stringify({ findings: await look() })}\n`);
// A module of RAILS may hold connections open.
process.exit(0);
