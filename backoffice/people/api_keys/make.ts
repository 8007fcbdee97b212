import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { ApiKey, NewApiKey } from '../../contract/people/api_keys.ts';
import { platform } from '../scope.ts';
import { type ApiKeyRow, apiKeys } from './table.ts';

export const keyPrefix = 'tpk';

/** The Tenant that a key names by its mark, so that a made-up one costs no query; the platform by its id. */
const markOf = (scope: string): string => (scope === platform ? platformId : scope);

export const scopeOfMark = (marked: string): string => (marked === platformId ? platform : marked);

/** Who a key belongs to, and what it may do. */
export interface KeyFacts {
  readonly name: string;
  readonly scope: string;
  readonly roles: readonly Role[];
  readonly personId: string | null;
  /** Of the sandbox's client, where no person makes it. */
  readonly clientId: string | null;
  readonly madeBy: ApiKey['made_by'];
  readonly expiresAt: Instant;
}

/** A key's row, which holds its hash alone. */
const rowOf = (
  { name, scope, roles, personId, clientId, madeBy, expiresAt }: KeyFacts,
  { id, key, now }: { readonly id: string; readonly key: string; readonly now: Instant },
): ApiKeyRow => ({
  id,
  key_hash: tokenHash(key),
  scope,
  name,
  roles,
  person_id: personId,
  client_id: clientId,
  made_by: madeBy,
  created_at: now,
  expires_at: expiresAt,
  last_used_at: null,
  revoked_at: null,
});

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

/** Makes a key by a command. */
export function createKeyRow(work: Work, facts: KeyFacts): NewApiKey {
  const key = work.newSecret(keyPrefix, markOf(facts.scope));
  const row = work.create(apiKeys, rowOf(facts, { id: work.newId(), key, now: work.now }));
  return newView(row, key);
}

const newId = idMaker();

/** Makes a key in a transaction past the engine, as a sign-in on a device does. */
export async function makeKey(
  db: Queryable,
  { clocks, vault }: Pick<Service, 'clocks' | 'vault'>,
  facts: KeyFacts,
): Promise<NewApiKey> {
  const nowMs = clocks.realNow();
  const key = vault.newSecret(markOf(facts.scope), keyPrefix);
  const row = rowOf(facts, { id: newId(nowMs), key, now: instantOf(nowMs) });
  const names = Object.keys(row);
  await db.query(
    `insert into control.api_keys (${names.join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return newView(row, key);
}
