import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, UsageError } from '../../terminal.ts';
import { assertAgreed } from '../agree.ts';
import { type Account, accountOf } from '../connection.ts';
import type { Declare } from '../family.ts';
import type { Console, Options } from '../options.ts';
import { envLines } from './status.ts';
import { renewRotated } from './temporary.ts';

interface InitOptions extends Options {
  readonly file?: string;
  readonly yes?: true;
}

const ending = ({ clientUntil }: Account): string[] =>
  clientUntil === null
    ? []
    : [
        `Its client ends ${clientUntil}: call tpay init again then, or make a lasting secret in the portal.`,
      ];

const withoutSecret =
  'It has no PAY_WEBHOOK_SECRET: no secret that signs is known here. Make one in the portal under Webhooks, which shows it once, and add it.';

/** `init`: a file with what a Tenant's server reads, the secrets too (rules/tpay#30). */
async function init(terminal: Console, options: InitOptions): Promise<ExitCode> {
  const { file = '.env.local' } = options;
  await renewRotated(terminal, options);
  const account = accountOf(terminal, options);
  const text = `${envLines(terminal, options).join('\n')}\n`;
  try {
    const isThere = existsSync(file);
    const isSame = isThere && readFileSync(file, 'utf8') === text;
    if (isThere && !isSame)
      await assertAgreed(terminal, options, {
        act: `Replace all of ${file}`,
        would: `${file} would be replaced`,
        other: ', or name another file with --file',
      });
    if (isThere) chmodSync(file, 0o600);
    if (!isSame) writeFileSync(file, text, { mode: 0o600 });
    return print(terminal, options, { file, written: !isSame }, [
      isSame ? `${file} has it already.` : `Written: ${file}, with secrets. Keep it out of git.`,
      ...ending(account),
      ...(account.webhookSecret === null ? [withoutSecret] : []),
    ]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`${file} cannot be written (${code})`, 'Name another with --file.');
  }
}

export const declareInit: Declare = ({ terminal, fill }, command) => {
  const flags: readonly Flag[] = [
    ['--file <path>', 'the file; .env.local unless given'],
    ['--yes', 'replace it without asking'],
  ];
  fill<InitOptions>(command, flags, (options) => init(terminal, options));
};
