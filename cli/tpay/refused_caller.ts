import { getProductionRules } from '@tenant-payments/backoffice/contract/sandbox/production_rules.ts';
import { TenantPaymentsError } from '@tenant-payments/sdk-server';
import type { Terminal } from '../terminal.ts';
import { accountOf, connect } from './connection.ts';
import type { Options } from './options.ts';
import { factsPath } from './sandbox.ts';

const rulesAreOn =
  'production rules are on, and production does not open this to a client: tpay production-rules off';

/** Production's refusal has nothing that is a sandbox's own, so the sandbox is asked, which answers in both. */
async function whyNoCaller(terminal: Terminal, options: Options): Promise<string | null> {
  try {
    const { data } = await connect(terminal, options).portal.request(getProductionRules);
    return data.enabled ? rulesAreOn : null;
  } catch (error) {
    if (error instanceof TenantPaymentsError) return null;
    throw error;
  }
}

function whyNoClient(terminal: Terminal, options: Options): string | null {
  if (accountOf(terminal, options).from !== 'sandbox') return null;
  return `${factsPath(terminal)} has a client secret that is retired, or of another sandbox: write the active one there as client_secret, or delete the file and start the sandbox again.`;
}

const reasons: Readonly<
  Record<string, (terminal: Terminal, options: Options) => string | null | Promise<string | null>>
> = {
  authentication_required: whyNoCaller,
  invalid_client: whyNoClient,
};

/** The advice on a refusal of the caller, where more is known than its code says; null: no more is. */
export const hintOfRefused = async (
  code: string,
  terminal: Terminal,
  options: Options,
): Promise<string | null> => (await reasons[code]?.(terminal, options)) ?? null;
