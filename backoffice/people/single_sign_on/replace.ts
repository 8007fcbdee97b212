import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { lockPeople } from '../scope.ts';
import { endSessions } from '../sessions/sessions.ts';
import {
  forgetIdentities,
  isSame,
  type ProviderRow,
  providerOf,
  type Stored,
  storeProvider,
} from './providers.ts';

/** What changes with the provider of a scope: its accounts, and the sessions that it opened. */

type Parts = Pick<Service, 'vault' | 'clocks'>;

type Shown = Pick<ProviderRow, 'issuer' | 'client_id' | 'required' | 'trust_email'>;

/** What the audit shows of a provider. */
export const facts = ({ issuer, client_id, required, trust_email }: Shown): Shown => ({
  issuer,
  client_id,
  required,
  trust_email,
});

/** @param butId the session that does it */
function endOpened(connection: Queryable, parts: Parts, scope: string, butId?: string) {
  const but = butId === undefined ? {} : { butId };
  const which = { scope, openedBy: 'single_sign_on', ...but } as const;
  return endSessions(connection, parts, which, 'single_sign_on_changed');
}

/** @returns the provider before @throws ApiError invalid_state */
export async function replaceProvider(
  connection: Queryable,
  parts: Parts,
  stored: Stored,
  butId?: string,
): Promise<ProviderRow | null> {
  const { scope, client } = stored;
  await lockPeople(connection);
  const before = await providerOf(connection, scope);
  await storeProvider(connection, parts, stored);
  if (!isSame(before, { issuer: client.issuer, client_id: client.clientId }))
    await endOpened(connection, parts, scope, butId);
  return before;
}

/** @returns the provider before */
export async function takeProvider(
  connection: Queryable,
  parts: Parts,
  scope: string,
  butId?: string,
): Promise<ProviderRow | null> {
  await lockPeople(connection);
  const before = await providerOf(connection, scope);
  await connection.query('delete from control.identity_providers where scope = $1', [scope]);
  await forgetIdentities(connection, scope);
  await endOpened(connection, parts, scope, butId);
  return before;
}
