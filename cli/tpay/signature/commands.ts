import { webhooks } from '@tenant-payments/sdk-server';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import type { Declare } from '../family.ts';
import { textOf } from '../given.ts';
import type { Console, Options } from '../options.ts';
import { checkedTime } from '../times.ts';
import { secretsOf } from './secrets.ts';
import { stepsOf } from './steps.ts';

interface BodyOptions extends Options {
  readonly body: string;
}
interface VerifyOptions extends BodyOptions {
  readonly header: string;
  readonly tolerance?: string;
}
interface SignOptions extends BodyOptions {
  readonly at?: string;
}

/** The body as it is: a changed byte changes the signature. */
const bodyOf = (terminal: Console, options: BodyOptions): Promise<string> =>
  textOf(terminal, options, options.body, '--body @event.json');

async function verify(terminal: Console, options: VerifyOptions): Promise<ExitCode> {
  const tolerance = options.tolerance ?? '300';
  if (!/^\d{1,9}$/.test(tolerance))
    throw new UsageError(
      `--tolerance ${tolerance} is no number of seconds`,
      'As in: --tolerance 300',
    );
  const steps = stepsOf({
    header: options.header.replace(/^service-signature:\s*/i, '').trim(),
    body: await bodyOf(terminal, options),
    secrets: secretsOf(terminal, options),
    toleranceSeconds: Number(tolerance),
    now: new Date(),
  });
  const ok = steps.every((step) => step.ok);
  print(terminal, options, { ok, steps }, [
    ...steps.map(
      (step) => `${step.ok ? 'ok    ' : 'FAILED'}  ${step.step.padEnd(9)}  ${step.says}`,
    ),
    ok ? 'The receiver is to take it.' : 'The receiver is to refuse it.',
  ]);
  return ok ? exitCodes.done : exitCodes.failed;
}

async function sign(terminal: Console, options: SignOptions): Promise<ExitCode> {
  const at = options.at === undefined ? new Date() : new Date(checkedTime('--at', options.at));
  const body = await bodyOf(terminal, options);
  const header = webhooks.sign(body, secretsOf(terminal, options), at);
  return print(terminal, options, { 'service-signature': header }, [
    `Service-Signature: ${header}`,
  ]);
}

const bodyFlag: Flag = [
  '--body <text>',
  'the raw body: text, @file, or - for standard input',
  'required',
];

export const declareVerify: Declare = ({ terminal, fill }, command) => {
  const flags: readonly Flag[] = [
    ['--header <value>', 'Service-Signature as it came', 'required'],
    bodyFlag,
    ['--tolerance <seconds>', 'how far its time may be from now; 300 unless given'],
  ];
  fill<VerifyOptions>(command, flags, (options) => verify(terminal, options));
};

export const declareSign: Declare = ({ terminal, fill }, command) => {
  const at: Flag = ['--at <time>', 'as if it were sent then; now unless given'];
  fill<SignOptions>(command, [bodyFlag, at], (options) => sign(terminal, options));
};
