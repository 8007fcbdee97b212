import { type Declaration, json } from './declare.ts';
import { runScript } from './script.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/**
 * `config check`: checks whether the service starts with these settings, one line for each fault, by
 * the service's own parser.
 */
function checkConfig(terminal: Terminal, options: { readonly json?: true }): ExitCode {
  const { status, lines } = runScript(terminal, 'config_check');
  const ok = status === 0;
  const faults = ok ? [] : lines;
  if (options.json) terminal.out(JSON.stringify({ ok, faults }));
  else if (ok) terminal.out('The settings are valid. Start the service with: npm start');
  else {
    for (const fault of faults) terminal.err(fault);
    terminal.err('hint: correct the settings named above; every one has a default in the sandbox.');
  }
  return ok ? exitCodes.done : exitCodes.failed;
}

export function declareConfig({ terminal, root, add }: Declaration): void {
  const config = add(root, 'config', 'the settings of the service', []);
  add(config, 'check', 'check whether the service would start', [json], (options) =>
    checkConfig(terminal, options),
  );
}
