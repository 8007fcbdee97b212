import { verifyLedger } from '@tenant-payments/contract/portal/ledger.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface VerifyOptions extends ConnectOptions {
  readonly json?: true;
}

/** `ledger verify`: checks the tenant's ledger; a violation is exit code 1. */
export async function verifyTenantLedger(
  terminal: Terminal,
  options: VerifyOptions,
): Promise<ExitCode> {
  const { data } = await connect(terminal, options).request(verifyLedger);
  const { ok, checked, violations } = data;
  if (options.json) terminal.out(JSON.stringify(data));
  else if (ok) {
    terminal.out(`The ledger is correct: ${checked} rows checked, no violation.`);
    terminal.out('See its entries with GET /portal/api/ledger/entries.');
  } else {
    terminal.out(
      `The ledger is wrong: ${checked} rows checked, violations (${violations.length}):`,
    );
    for (const violation of violations) terminal.out(`  ${JSON.stringify(violation)}`);
    terminal.out(
      'Stop moving money, keep the database as it is, and look at the record in each line.',
    );
  }
  return ok ? exitCodes.done : exitCodes.failed;
}
