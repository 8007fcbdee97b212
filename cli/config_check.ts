import { type Declaration, type Flag, json } from './declare.ts';
import { runScript } from './script.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Options {
  readonly connect?: true;
  readonly json?: true;
}

const connect: Flag = ['--connect', 'also connect to the databases, and prove their sessions'];

const next = 'Start the service with: npm start';
const valid = `The settings are valid; the databases were not asked (--connect). ${next}`;
const connected = `The settings are valid, and the databases that they name give the sessions that the service needs. ${next}`;

/**
 * `config check`: checks whether the service starts with these settings, one line for each fault, by
 * the service's own parser.
 */
function checkConfig(terminal: Terminal, options: Options): ExitCode {
  const given = options.connect ? ['--connect'] : [];
  const { status, lines, stdout } = runScript(terminal, 'config_check', given);
  const ok = status === 0;
  const faults = ok ? [] : lines;
  const warnings = stdout.split('\n').filter((line) => line !== '');
  if (!options.json) for (const warning of warnings) terminal.err(`warning: ${warning}`);
  if (options.json) terminal.out(JSON.stringify({ ok, faults, warnings }));
  else if (ok) terminal.out(options.connect ? connected : valid);
  else {
    for (const fault of faults) terminal.err(fault);
    terminal.err('hint: correct the settings named above; every one has a default in the sandbox.');
  }
  return ok ? exitCodes.done : exitCodes.failed;
}

export function declareConfig({ terminal, root, add }: Declaration): void {
  const config = add(root, 'config', 'the settings of the service', []);
  add(config, 'check', 'check whether the service would start', [connect, json], (options) =>
    checkConfig(terminal, options),
  );
}
