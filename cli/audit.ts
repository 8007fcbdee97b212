import { type Declaration, json } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly scope?: string;
  readonly head?: string;
  readonly json?: true;
}

const headForm = /^(\d{1,15}):([0-9a-f]{64})$/;

/** @throws UsageError */
function headOf({ scope, head }: Options) {
  if (head === undefined) return undefined;
  const [, number, hash] = headForm.exec(head) ?? [];
  if (number === undefined || hash === undefined)
    throw new UsageError(`${head} is not NUMBER:HASH`, 'Take both from a line with `audit_head`.');
  if (scope === undefined)
    throw new UsageError(
      '--head is of one chain',
      'Add --scope platform, or a tenant with its id.',
    );
  return { number: Number(number), hash };
}

/** `audit verify`: follows every chain of the audit; a fault is exit code 1 (rules/audit#9). */
function verify(terminal: Terminal, options: Options): ExitCode {
  const { scope } = options;
  const head = headOf(options);
  const proof = operate(terminal, 'audit', 'verify', {
    ...(scope === undefined ? {} : { scope }),
    ...(head === undefined ? {} : { head }),
  });
  const { ok, checked, heads, faults } = proof;
  if (options.json) terminal.out(JSON.stringify(proof));
  else if (ok)
    terminal.out(`The audit is whole: ${checked} rows checked; chains: ${heads.length}.`);
  else {
    terminal.out(`The audit was changed: ${checked} rows checked, faults (${faults.length}):`);
    for (const { scope, number, meaning } of faults)
      terminal.out(`  ${scope} ${number}: ${meaning}`);
    terminal.out('Keep the database as it is, and compare with the log lines that you keep.');
  }
  return ok ? exitCodes.done : exitCodes.failed;
}

export function declareAudit({ terminal, root, add }: Declaration): void {
  const audit = add(root, 'audit', 'who did what', []);
  const about = 'follow every chain of the audit; exit code 1 where one was changed';
  const flags = [
    ['--scope <scope>', 'one chain: `platform`, or the id of a tenant'],
    ['--head <number:hash>', 'a head of it that you have kept from the log'],
    json,
  ] as const;
  add(audit, 'verify', about, flags, (options: Options) => verify(terminal, options));
}
