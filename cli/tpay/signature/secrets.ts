import { UsageError } from '../../terminal.ts';
import { accountOf } from '../connection.ts';
import { signingSecretOf } from '../listen/memory.ts';
import type { Console, Options } from '../options.ts';

/** PAY_WEBHOOK_SECRET, several with commas between; else the secret of the account. */
export function secretsOf(terminal: Console, options: Options): string[] {
  const given = terminal.env.PAY_WEBHOOK_SECRET;
  if (given) return given.split(',');
  try {
    return [signingSecretOf(terminal, accountOf(terminal, options))];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      'no secret is known',
      'Set PAY_WEBHOOK_SECRET; several with commas between.',
    );
  }
}
