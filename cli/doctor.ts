import type { Finding } from '../scripts/doctor/finding.ts';
import { type Declaration, json, print } from './declare.ts';
import { runScript } from './script.ts';
import { type ExitCode, exitCodes, FaultLines, type Terminal } from './terminal.ts';

const words = { ok: 'ok', warning: 'look', failed: 'FAILED' } as const;

const lineOf = ({ part, state, what, advice }: Finding): string =>
  `${words[state].padEnd(7)} ${part.padEnd(11)} ${what}${advice === null ? '' : `. ${advice}`}`;

/** `doctor`: one line for each thing that a process needs, with what to do; exit code 1 where one fails. */
function look(terminal: Terminal, options: { readonly json?: true }): ExitCode {
  const { status, stdout, lines } = runScript(terminal, 'doctor');
  if (status !== 0) throw new FaultLines(lines);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  const isWell = findings.every(({ state }) => state !== 'failed');
  print(terminal, options, { ok: isWell, findings }, findings.map(lineOf));
  return isWell ? exitCodes.done : exitCodes.failed;
}

export function declareDoctor({ terminal, root, add }: Declaration): void {
  const what =
    'all that a process with these settings needs, one line each; exit code 1 where one fails';
  add(root, 'doctor', what, [json], (options) => look(terminal, options));
}
