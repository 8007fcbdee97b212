import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { endSessions } from '../sessions/open.ts';
import { sessions } from '../sessions/table.ts';
import { clientSecretSeal, isSame, type ProviderRow, type Stored } from './providers.ts';
import {
  identityProviders,
  linkedIdentities,
  type StoredProviderRow,
  signInAttempts,
} from './table.ts';

/** Parts of commands that change the provider of a scope: with it its accounts, and the sessions that it opened. */

type Shown = Pick<ProviderRow, 'issuer' | 'client_id' | 'required' | 'trust_email'>;

/** The facts of a provider that the audit shows. */
export const facts = ({ issuer, client_id, required, trust_email }: Shown): Shown => ({
  issuer,
  client_id,
  required,
  trust_email,
});

export async function loadProvider(read: Read, scope: string) {
  const [row, identities, attempts, open] = await Promise.all([
    read.maybe(identityProviders, scope),
    read.set(linkedIdentities, 'scope', scope),
    read.set(signInAttempts, 'scope', scope),
    read.set(sessions, 'only_scope', scope),
  ]);
  return { row, identities, attempts, open };
}

type Loaded = Awaited<ReturnType<typeof loadProvider>>;

/** The provider of the scope; null: it has none. */
export const setUp = ({ row }: Pick<Loaded, 'row'>): StoredProviderRow | null =>
  row !== null && row.removed_at === null ? row : null;

const linked = ({ identities }: Loaded) => identities.filter(({ ended_at }) => ended_at === null);

/**
 * Another provider means other accounts: each person links the own one anew (rules/single-sign-on#8).
 * @param butId the session that does it
 */
function forget(work: Work, loaded: Loaded, butId: string | undefined): void {
  for (const row of linked(loaded))
    work.change<typeof linkedIdentities>(row, { ended_at: work.now });
  for (const row of loaded.attempts)
    if (row.taken_at === null) work.change<typeof signInAttempts>(row, { taken_at: work.now });
  const others = loaded.open.filter(({ id }) => id !== butId);
  endSessions(work, others, 'single_sign_on_changed');
}

/**
 * Nobody is asked for a sign-in that has never worked: `required` waits for the first.
 * @returns the provider before @throws ApiError invalid_state
 */
export function replaceProvider(
  work: Work,
  { vault }: Pick<Service, 'vault'>,
  loaded: Loaded,
  { scope, client, required, trustEmail, butId }: Stored & { readonly butId?: string | undefined },
): Shown | null {
  const named = { issuer: client.issuer, client_id: client.clientId };
  const before = setUp(loaded);
  const shown = before && facts(before);
  if (!isSame(before, named)) forget(work, loaded, butId);
  if (required && linked(loaded).length === 0)
    throw fail('invalid_state', { param: 'required', details: { reason: 'never_used' } });
  const values = {
    ...named,
    client_secret_sealed: vault.seal(scope, clientSecretSeal(named), client.clientSecret),
    required,
    trust_email: trustEmail,
    created_at: before?.created_at ?? work.now,
    updated_at: work.now,
    removed_at: null,
  };
  if (loaded.row) work.change<typeof identityProviders>(loaded.row, values);
  else work.create(identityProviders, { scope, ...values });
  return shown;
}

/** @returns the provider before */
export function takeProvider(work: Work, loaded: Loaded, butId?: string): Shown | null {
  const before = setUp(loaded);
  const shown = before && facts(before);
  if (before)
    work.change<typeof identityProviders>(before, {
      client_secret_sealed: '',
      removed_at: work.now,
    });
  forget(work, loaded, butId);
  return shown;
}
