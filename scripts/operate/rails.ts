import { redactedText } from '../../service/http/log/redact.ts';
import { checkProviders } from '../../service/rails/providers/check.ts';
import { loadRails } from '../../start/composition.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';

/** As long as a call of the rails has by default (rules/operations#78). */
const deadlineMs = 10_000;

async function providersOf({ settings: { environment, rails } }: Deployment) {
  if (environment === 'sandbox' || rails === null) return { module: null, providers: [] };
  const loaded = await loadRails(rails).catch((error: Error) => {
    throw new Fault(error.message, 'npm run cli -- config check says what the settings name.');
  });
  return { module: rails, providers: loaded.providers ?? [], close: () => loaded.close?.() };
}

export const operations = {
  /** Whether each provider of the module can be reached with these settings. It needs no database. */
  async check(deployment: Deployment) {
    const { module, providers, close } = await providersOf(deployment);
    try {
      const found = await checkProviders(providers, { deadlineMs, redacted: redactedText });
      return { ok: found.every(({ ok }) => ok), module, providers: found };
    } finally {
      await close?.();
    }
  },
};
