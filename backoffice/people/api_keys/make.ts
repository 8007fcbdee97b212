import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { ApiKey, NewApiKey } from '../../contract/people/api_keys.ts';
import { platform, type Queryable } from '../scope.ts';

export const keyPrefix = 'tpk';

/** What a key of the platform names in place of a Tenant, so that a made-up one costs no query. */
const platformMark = '00000000-0000-0000-0000-000000000000';

export const scopeOfMark = (marked: string): string =>
  marked === platformMark ? platform : marked;

/** Who a key belongs to, and what it may do. */
export interface KeyFacts {
  readonly name: string;
  readonly scope: string;
  readonly roles: readonly Role[];
  readonly personId: string | null;
  /** Of the sandbox's client, where no person makes it. */
  readonly clientId: string | null;
  readonly madeBy: ApiKey['made_by'];
  readonly expiresAt: string;
}

const newId = idMaker();

/** Stores a key's hash. @returns the key itself, which is nowhere else */
export async function makeKey(
  db: Queryable,
  { clocks, vault }: Pick<Service, 'clocks' | 'vault'>,
  { name, scope, roles, personId, clientId, madeBy, expiresAt }: KeyFacts,
): Promise<NewApiKey> {
  const nowMs = clocks.realNow();
  const id = newId(nowMs);
  const created_at = instantOf(nowMs);
  const key = vault.newSecret(scope === platform ? platformMark : scope, keyPrefix);
  await db.query(
    `insert into control.api_keys
       (id, key_hash, scope, name, roles, person_id, client_id, made_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      tokenHash(key),
      scope,
      name,
      [...roles],
      personId,
      clientId,
      madeBy,
      created_at,
      expiresAt,
    ],
  );
  return {
    id,
    name,
    scope,
    roles: [...roles],
    person_id: personId,
    made_by: madeBy,
    created_at,
    expires_at: expiresAt,
    key,
  };
}
