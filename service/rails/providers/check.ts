import type { CheckLine, Provider } from './provider.ts';
import { withinTime } from './within_time.ts';

/** How a provider can be reached, as it says itself. */
export interface ProviderCheck {
  readonly provider: string;
  readonly ok: boolean;
  readonly lines: readonly CheckLine[];
}

interface Options {
  readonly deadlineMs: number;
  /** A text of the provider without what nobody may read in a log. */
  readonly redacted: (text: string) => string;
}

const isLine = (line: CheckLine | null): boolean =>
  typeof line?.ok === 'boolean' && typeof line.what === 'string';

async function linesOf(
  provider: Provider,
  { deadlineMs, redacted }: Options,
): Promise<readonly CheckLine[]> {
  const check = provider.check?.bind(provider);
  if (!check) return [{ ok: true, what: 'it has no check', advice: null }];
  try {
    const lines = await withinTime(deadlineMs, (signal) => check({ signal }));
    if (!Array.isArray(lines) || lines.length === 0 || !lines.every(isLine))
      throw new Error('it answers no lines with ok and what');
    return lines.map(({ ok, what, advice }) => ({
      ok,
      what: redacted(what),
      advice: typeof advice === 'string' ? redacted(advice) : null,
    }));
  } catch (error) {
    const advice = redacted(error instanceof Error ? error.message : String(error));
    return [{ ok: false, what: 'the check failed', advice }];
  }
}

/** Has each provider say whether it can be reached, all at once. Nothing is moved (rules/rails#15). */
export const checkProviders = (
  providers: readonly Provider[],
  options: Options,
): Promise<readonly ProviderCheck[]> =>
  Promise.all(
    providers.map(async (provider) => {
      const lines = await linesOf(provider, options);
      return { provider: provider.name, ok: lines.every(({ ok }) => ok), lines };
    }),
  );
