import type { ParsedConfig } from '../../service/config/config.ts';
import { operations } from '../operate/rails.ts';
import { type Finding, failed, ok, saidBy } from './finding.ts';

/** Whether adapters and the module of RAILS can be loaded, and each of their providers be reached. */
export async function rails(settings: ParsedConfig): Promise<Finding[]> {
  const isPlayed = settings.environment === 'sandbox' && settings.adapters.length === 0;
  if (isPlayed) return [ok('rails', 'the sandbox plays the outside itself')];
  const checked = await operations.check({ settings }).catch((error: Error) => error);
  if (checked instanceof Error)
    return [failed('rails', saidBy(checked), 'Name the module that implements service/rails.')];
  const { module, providers } = checked;
  if (providers.length === 0)
    return [ok('rails', `${module ?? 'the outside'} can be loaded; it lists no providers`)];
  return providers.flatMap(({ provider, lines }) =>
    lines.map(({ ok: isFine, what, advice }) =>
      isFine
        ? ok('rails', `${provider}: ${what}`)
        : failed('rails', `${provider}: ${what}`, advice ?? 'Ask the provider.'),
    ),
  );
}
