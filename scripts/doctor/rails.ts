import type { ParsedConfig } from '../../service/config/config.ts';
import { redactedText } from '../../service/http/log/redact.ts';
import { checkProviders } from '../../service/rails/providers/check.ts';
import { loadRails } from '../../start/composition.ts';
import { type Finding, failed, ok, saidBy } from './finding.ts';

/** As long as a call of the rails has by default (rules/operations#78). */
const deadlineMs = 10_000;

/** Whether the module of RAILS can be loaded, and each provider of it be reached. */
export async function rails({ environment, rails: path }: ParsedConfig): Promise<Finding[]> {
  if (environment === 'sandbox' || path === null)
    return [ok('rails', 'the sandbox plays the outside itself')];
  const module = await loadRails(path).catch((error: Error) => error);
  if (module instanceof Error)
    return [failed('rails', saidBy(module), 'Name the module that implements service/rails.')];
  try {
    const found = await checkProviders(module.providers ?? [], {
      deadlineMs,
      redacted: redactedText,
    });
    if (found.length === 0) return [ok('rails', `${path} can be loaded; it lists no providers`)];
    return found.flatMap(({ provider, lines }) =>
      lines.map(({ ok: isFine, what, advice }) =>
        isFine
          ? ok('rails', `${provider}: ${what}`)
          : failed('rails', `${provider}: ${what}`, advice ?? 'Ask the provider.'),
      ),
    );
  } finally {
    await module.close?.();
  }
}
