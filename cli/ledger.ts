import { verifyLedger } from '@tenant-payments/backoffice/contract/records/ledger.ts';
import { connect } from './connect.ts';
import { baseUrl, type Declaration, json, needsTenant, ofTenant, print } from './declare.ts';
import { type AnswerOf, isDirect, operate, type WayOptions } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface VerifyOptions extends WayOptions {
  readonly json?: true;
}

/** `ledger verify`: checks one tenant's ledger, or all in production; a violation that nobody has acknowledged is exit code 1. */
async function verify(terminal: Terminal, options: VerifyOptions): Promise<ExitCode> {
  const { tenant } = options;
  const given = tenant === undefined ? {} : { tenant };
  const data = isDirect(terminal, options)
    ? operate(terminal, 'ledger', 'verify', given)
    : (await connect(terminal, options).request(verifyLedger)).data;
  const { ok } = data;
  if (options.json) terminal.out(JSON.stringify(data));
  else for (const line of wordsOf(data)) terminal.out(line);
  return ok ? exitCodes.done : exitCodes.failed;
}

function wordsOf({ ok, checked, violations }: AnswerOf<'ledger', 'verify'>): string[] {
  const open = violations.filter(({ acknowledged }) => acknowledged === undefined);
  const acknowledged = violations.length - open.length;
  if (ok)
    return [
      acknowledged === 0
        ? `The ledger is correct: ${checked} rows checked, no violation.`
        : `The ledger holds, ${acknowledged} acknowledged: ${checked} rows checked, no other violation.`,
      'See its entries with GET /portal/api/ledger/entries.',
    ];
  // Violations that an older service answers have no grade.
  const isOfMoney = open.some(({ grade = 'money' }) => grade === 'money');
  const first = isOfMoney ? 'Stop moving money, keep' : 'No violation is of money. Keep';
  const besides = acknowledged === 0 ? '' : `, besides ${acknowledged} acknowledged`;
  return [
    `The ledger is wrong: ${checked} rows checked, violations (${open.length}${besides}):`,
    ...open.map((violation) => `  ${JSON.stringify(violation)}`),
    `${first} the database as it is, and look at the record in each line.`,
  ];
}

interface AcknowledgeOptions {
  readonly tenant: string;
  readonly note: string;
  readonly proof?: string;
  readonly json?: true;
}

/** `ledger acknowledge`: asks an admin; two people acknowledge, and nobody alone. */
function acknowledge(terminal: Terminal, options: AcknowledgeOptions): ExitCode {
  const { tenant, note, proof } = options;
  const given = { tenant, note, ...(proof === undefined ? {} : { proof }) };
  const answer = operate(terminal, 'ledger', 'acknowledge', given);
  const found = answer.effect?.changes ?? [];
  return print(terminal, options, answer, [
    `Asked for as ${answer.id}, of proof ${answer.record_id}: violations (${found.length}):`,
    ...found.map(({ id, field, before }) => `  ${field}  ${id}: ${before}`),
    'They raise alarms until an admin approves it in the console, at the desk.',
  ]);
}

/** `ledger take-back`: asks an admin; two people take an acknowledgement back, and nobody alone. */
function takeBack(terminal: Terminal, options: AcknowledgeOptions & { proof: string }): ExitCode {
  const { tenant, note, proof } = options;
  const answer = operate(terminal, 'ledger', 'takeBack', { tenant, note, proof });
  const found = answer.effect?.changes ?? [];
  return print(terminal, options, answer, [
    `Asked for as ${answer.id}, of proof ${answer.record_id}: violations (${found.length}):`,
    ...found.map(({ id, field, after }) => `  ${field}  ${id}: ${after}`),
    'They raise alarms again from the next proof on, once an admin approves it in the console, at the desk.',
  ]);
}

export function declareLedger({ terminal, root, add }: Declaration): void {
  const ledger = add(root, 'ledger', 'the double-entry ledger', []);
  const flags = [ofTenant, baseUrl, json];
  add(ledger, 'verify', 'check the ledger; exit code 1 on a violation', flags, (options) =>
    verify(terminal, options),
  );
  const asking = [
    ['--proof <id>', 'the kept proof; absent: the last one'],
    ['--note <text>', 'why they may stay as they are', 'required'],
    needsTenant,
    json,
  ] as const;
  const about = 'ask an admin to acknowledge what a kept proof has found';
  add(ledger, 'acknowledge', about, asking, (options: AcknowledgeOptions) =>
    acknowledge(terminal, options),
  );
  const taking = [
    ['--proof <id>', 'the kept proof with which they were acknowledged', 'required'],
    ['--note <text>', 'why they are no longer to stay as they are', 'required'],
    needsTenant,
    json,
  ] as const;
  const back = 'ask an admin to take an acknowledgement back';
  add(ledger, 'take-back', back, taking, (options: AcknowledgeOptions & { proof: string }) =>
    takeBack(terminal, options),
  );
}
