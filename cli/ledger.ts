import { verifyLedger } from '@tenant-payments/backoffice/contract/records/ledger.ts';
import { connect } from './connect.ts';
import { baseUrl, type Declaration, json, ofTenant } from './declare.ts';
import { isDirect, operate, type WayOptions } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface VerifyOptions extends WayOptions {
  readonly json?: true;
}

/** `ledger verify`: checks one tenant's ledger, or all in production; a violation is exit code 1. */
async function verify(terminal: Terminal, options: VerifyOptions): Promise<ExitCode> {
  const { tenant } = options;
  const given = tenant === undefined ? {} : { tenant };
  const data = isDirect(terminal, options)
    ? operate(terminal, 'ledger', 'verify', given)
    : (await connect(terminal, options).request(verifyLedger)).data;
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
    // Violations that an older service answers have no grade.
    const isOfMoney = violations.some(({ grade = 'money' }) => grade === 'money');
    const first = isOfMoney ? 'Stop moving money, keep' : 'No violation is of money. Keep';
    terminal.out(`${first} the database as it is, and look at the record in each line.`);
  }
  return ok ? exitCodes.done : exitCodes.failed;
}

export function declareLedger({ terminal, root, add }: Declaration): void {
  const ledger = add(root, 'ledger', 'the double-entry ledger', []);
  const flags = [ofTenant, baseUrl, json];
  add(ledger, 'verify', 'check the ledger; exit code 1 on a violation', flags, (options) =>
    verify(terminal, options),
  );
}
