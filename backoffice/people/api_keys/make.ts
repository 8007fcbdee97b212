import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { ApiKey, NewApiKey } from '../../contract/people/api_keys.ts';
import { platform } from '../scope.ts';
import { type ApiKeyRow, apiKeys } from './table.ts';

export const keyPrefix = 'tpk';

/** The Tenant that a key names by its mark, so that a made-up one costs no query; the platform by its id. */
const markOf = (scope: string): string => (scope === platform ? platformId : scope);

export const scopeOfMark = (marked: string): string => (marked === platformId ? platform : marked);

/** The owner and rights of a key. */
export interface KeyFacts {
  readonly name: string;
  readonly scope: string;
  readonly roles: readonly Role[];
  readonly personId: string | null;
  /** The id of the sandbox's client, where no person makes it. */
  readonly clientId: string | null;
  readonly madeBy: ApiKey['made_by'];
  readonly expiresAt: Instant;
}

/** The key itself is in the reply to whoever made it, and nowhere else. */
const newView = (row: ApiKeyRow, key: string): NewApiKey => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  roles: [...row.roles],
  person_id: row.person_id,
  made_by: row.made_by,
  created_at: row.created_at,
  expires_at: row.expires_at,
  key,
});

/** Makes a key by a command. Its row holds its hash alone. */
export function createKeyRow(
  work: Work,
  { name, scope, roles, personId, clientId, madeBy, expiresAt }: KeyFacts,
): NewApiKey {
  const key = work.newSecret(keyPrefix, markOf(scope));
  const row = work.create(apiKeys, {
    id: work.newId(),
    key_hash: tokenHash(key),
    scope,
    name,
    roles,
    person_id: personId,
    client_id: clientId,
    made_by: madeBy,
    created_at: work.now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  });
  return newView(row, key);
}
