import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { PlatformAct } from '../../approvals/platform/act.ts';
import type { Seen } from '../../approvals/seen.ts';
import { platform, queryableOf } from '../scope.ts';
import { assertDiscovered, clientGiven } from '../single_sign_on/given.ts';
import { replaceProviderInside, takeProviderInside } from '../single_sign_on/inside.ts';
import { openProviders } from '../single_sign_on/provider.ts';
import { clientSecretSeal, type ProviderRow, providerOf } from '../single_sign_on/providers.ts';
import { facts } from '../single_sign_on/replace.ts';

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

export const providerActs = (service: Service) =>
  ({
    'single-sign-on.set': {
      takes: ['provider'],
      /** The secret is kept sealed as the provider's row holds it. */
      async secretOf({ provider }) {
        if (!provider) return null;
        const providers = openProviders(service);
        try {
          const client = await clientGiven(service, platform, provider);
          await assertDiscovered(providers, client);
          return service.vault.seal(platform, clientSecretSeal(provider), client.clientSecret);
        } finally {
          await providers.close();
        }
      },
      async look(db, { id, given: { provider } }) {
        assertOfPlatform(id);
        const { required = false, trust_email = false } = provider ?? {};
        const after = provider ? { ...provider, required, trust_email } : null;
        return seenOf(await providerOf(queryableOf(db), platform), after);
      },
      async run(tx, { given: { provider }, secret }) {
        if (!provider || secret === null) throw fail('parameter_missing', { param: 'provider' });
        const { issuer, client_id, required = false, trust_email: trustEmail = false } = provider;
        const clientSecret = String(
          service.vault.open(platform, clientSecretSeal({ issuer, client_id }), secret),
        );
        const client = { issuer, clientId: client_id, clientSecret };
        const stored = { scope: platform, client, required, trustEmail };
        await replaceProviderInside(queryableOf(tx), service, stored);
        return { after: facts({ issuer, client_id, required, trust_email: trustEmail }) };
      },
      event: 'single_sign_on_set',
    },
    'single-sign-on.remove': {
      async look(db, { id }) {
        assertOfPlatform(id);
        const before = await providerOf(queryableOf(db), platform);
        if (!before) throw fail('invalid_state', { details: { reason: 'not_set_up' } });
        return seenOf(before, null);
      },
      async run(tx) {
        await takeProviderInside(queryableOf(tx), service, platform);
        return { after: {} };
      },
      event: 'single_sign_on_removed',
    },
  }) satisfies Readonly<Record<string, PlatformAct>>;
