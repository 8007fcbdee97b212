import { fail } from '@tenant-payments/engine/fail.ts';
import { obeying } from '@tenant-payments/engine/production.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { platform } from '../../people/scope.ts';
import { assertDiscovered, clientGiven } from '../../people/single_sign_on/given.ts';
import { openProviders } from '../../people/single_sign_on/provider.ts';
import { clientSecretSeal, type ProviderRow } from '../../people/single_sign_on/providers.ts';
import {
  facts,
  loadProvider,
  replaceProvider,
  setUp,
  takeProvider,
} from '../../people/single_sign_on/replace.ts';
import type { Seen } from '../seen.ts';
import { platformAct } from './act.ts';

/** The change of the platform's identity provider by two admins (rules/approvals#21). */

type Shown = Partial<Pick<ProviderRow, 'issuer' | 'client_id' | 'required' | 'trust_email'>>;

const fields = ['issuer', 'client_id', 'required', 'trust_email'] as const;

const seenOf = (before: Shown | null, after: Shown | null): Seen => ({
  facts: {},
  effect: {
    postings: [],
    changes: fields.map((field) => ({
      object: 'identity_provider',
      id: platform,
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
    })),
  },
});

/** @throws ApiError not_found */
function assertOfPlatform(id: string): void {
  if (id !== platform) throw fail('not_found', { param: 'id' });
}

export const providerActs = (service: Service) => ({
  'single-sign-on.set': platformAct({
    takes: ['provider'],
    /** The secret is kept sealed as the provider's row holds it. */
    async secretOf({ provider }) {
      if (!provider) return null;
      const providers = openProviders(service);
      try {
        const client = await clientGiven(service, platform, provider, obeying(service.environment));
        await assertDiscovered(providers, client);
        return service.vault.seal(platform, clientSecretSeal(provider), client.clientSecret);
      } finally {
        await providers.close();
      }
    },
    load: (read) => loadProvider(read, platform),
    look(loaded, { id, given: { provider } }) {
      assertOfPlatform(id);
      const { required = false, trust_email = false } = provider ?? {};
      return seenOf(setUp(loaded), provider ? { ...provider, required, trust_email } : null);
    },
    run(work, loaded, { given: { provider }, secret }) {
      if (!provider || secret === null) throw fail('parameter_missing', { param: 'provider' });
      const { issuer, client_id, required = false, trust_email: trustEmail = false } = provider;
      const clientSecret = String(
        service.vault.open(platform, clientSecretSeal({ issuer, client_id }), secret),
      );
      const client = { issuer, clientId: client_id, clientSecret };
      replaceProvider(work, service, loaded, { scope: platform, client, required, trustEmail });
      return { after: facts({ issuer, client_id, required, trust_email: trustEmail }) };
    },
    event: 'single_sign_on_set',
  }),
  'single-sign-on.remove': platformAct({
    load: (read) => loadProvider(read, platform),
    look(loaded, { id }) {
      assertOfPlatform(id);
      const before = setUp(loaded);
      if (!before) throw fail('invalid_state', { details: { reason: 'not_set_up' } });
      return seenOf(before, null);
    },
    run(work, loaded) {
      takeProvider(work, loaded);
      return { after: {} };
    },
    event: 'single_sign_on_removed',
  }),
});
