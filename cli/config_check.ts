import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

const script = fileURLToPath(new URL('../scripts/config_check.ts', import.meta.url));

/**
 * `config check`: checks whether the service starts with these settings, one line for each fault.
 * It runs the service's own parser in another process.
 */
export function checkConfig(terminal: Terminal, options: { readonly json?: true }): ExitCode {
  const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, script], {
    env: { ...terminal.env },
    encoding: 'utf8',
  });
  const ok = status === 0;
  const faults = ok ? [] : stderr.trim().split('\n');
  if (options.json) terminal.out(JSON.stringify({ ok, faults }));
  else if (ok) terminal.out('The settings are valid. Start the service with: npm start');
  else {
    for (const fault of faults) terminal.err(fault);
    terminal.err('hint: correct the settings named above; every one has a default in the sandbox.');
  }
  return ok ? exitCodes.done : exitCodes.failed;
}
