import { redactedText } from '../../service/http/log/redact.ts';
import { checkProviders } from '../../service/rails/providers/check.ts';
import { outerAdapters } from '../../start/adapters.ts';
import { loadRails } from '../../start/outside.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';

type Of = Pick<Deployment, 'settings'>;

/** The default deadline of a call of the rails (rules/operations#78). */
const deadlineMs = 10_000;

async function openedOf({ settings }: Of) {
  const opening = Promise.all([
    settings.environment === 'sandbox' ? null : loadRails(settings),
    outerAdapters(settings),
  ]);
  const [module, opened] = await opening.catch((error: Error) => {
    throw new Fault(error.message, 'npm run cli -- config check says what the settings name.');
  });
  const adapters = opened.map(({ adapted }) => adapted);
  const all = module ? [module, ...adapters] : adapters;
  return {
    module: module && settings.rails,
    providers: all.flatMap(({ providers = [] }) => providers),
    async close() {
      for (const one of all) await one.close?.();
    },
  };
}

export const operations = {
  /** Whether each provider of module and adapters can be reached with these settings. It needs no database. */
  async check(deployment: Of) {
    const { module, providers, close } = await openedOf(deployment);
    try {
      const found = await checkProviders(providers, { deadlineMs, redacted: redactedText });
      return { ok: found.every(({ ok }) => ok), module, providers: found };
    } finally {
      await close();
    }
  },
};
