import { verifyLedger } from '@tenant-payments/contract/portal/ledger.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface VerifyOptions extends ConnectOptions {
  readonly json?: true;
}

/** `ledger verify`: proves the tenant's book; a violation is exit code 1. */
export async function verifyBook(terminal: Terminal, options: VerifyOptions): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(verifyLedger);
  const { ok, checked, violations } = data;
  if (options.json) terminal.out(JSON.stringify(data));
  else if (ok) {
    terminal.out(`The book holds: ${checked} rows checked, no violation.`);
    terminal.out('Entry by entry: GET /portal/api/ledger/entries.');
  } else {
    terminal.out(`The book is broken: ${checked} rows checked, violations (${violations.length}):`);
    for (const violation of violations) terminal.out(`  ${JSON.stringify(violation)}`);
    terminal.out('Stop moving money and keep the database as it is: each line names its record.');
  }
  return ok ? exitCodes.done : exitCodes.failed;
}
