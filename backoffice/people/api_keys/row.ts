import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { type Role, rolesWithin } from '@tenant-payments/contract/core/roles.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { ApiKey, apiKeyStatuses } from '../../contract/people/api_keys.ts';
import type { ApiKeyRow } from './table.ts';

/** A key with what its maker holds now. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly roles: Role[];
  readonly person_id: string | null;
  readonly made_by: ApiKey['made_by'];
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly maker_is_there: boolean;
  /** Held without a break since the key was made. */
  readonly maker_roles: Role[];
  /** Single sign-on is demanded where it acts. */
  readonly provider_required: boolean;
  /** When its maker last signed in at that provider; null: there is no account of theirs. */
  readonly proven_at: string | null;
}

/**
 * A role that was taken and given again has a later `granted_at`, so the key stays ended
 * (rules/api-keys#6).
 */
export const keySql = sql`
  select k.id, k.name, k.scope, k.roles, k.person_id, k.made_by, k.created_at, k.expires_at,
    k.last_used_at, k.revoked_at,
    case when k.person_id is null
      then exists (select from clients c where c.client_id = k.client_id and c.retired_at is null)
      else exists (select from control.people p where p.id = k.person_id and p.disabled_at is null)
    end and (t.tenant_id is null or t.suspended_at is null) as maker_is_there,
    array(select r.role from control.roles r
      where r.scope = k.scope and r.person_id = k.person_id and r.granted_at <= k.created_at)
      as maker_roles,
    coalesce(d.required, false) as provider_required,
    (select i.last_used_at from control.identities i
      where i.scope = k.scope and i.issuer = d.issuer and i.person_id = k.person_id) as proven_at
  from control.api_keys k
    left join control.identity_providers d on d.scope = k.scope
    left join tenants t on t.tenant_id = case when k.scope <> 'platform' then k.scope::uuid end`;

type Parts = Pick<Service, 'clocks' | 'environment'>;

/** A client has every role of its Tenant, in the sandbox alone (rules/people#4). */
function makerMay(row: KeyRow, environment: Service['environment']): boolean {
  if (!row.maker_is_there) return false;
  if (row.person_id === null) return environment === 'sandbox';
  const held = rolesWithin(row.maker_roles);
  return row.roles.every((role) => held.has(role));
}

/** A program of the sandbox has no account anywhere. */
function isProven({ clocks }: Pick<Parts, 'clocks'>, row: KeyRow): boolean {
  if (!row.provider_required || row.person_id === null) return true;
  if (row.proven_at === null) return false;
  return epochMs(row.proven_at) + lifetimes.provenAtProvider * 1_000 > clocks.realNow();
}

export function statusOf(parts: Parts, row: KeyRow): (typeof apiKeyStatuses)[number] {
  if (row.revoked_at !== null) return 'revoked';
  if (epochMs(row.expires_at) <= parts.clocks.realNow()) return 'expired';
  if (!makerMay(row, parts.environment)) return 'maker_ended';
  return isProven(parts, row) ? 'active' : 'sign_in_due';
}

const viewAs = (
  row: Omit<ApiKeyRow, 'key_hash' | 'client_id'>,
  status: ApiKey['status'],
): ApiKey => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  roles: [...row.roles],
  person_id: row.person_id,
  made_by: row.made_by,
  created_at: row.created_at,
  expires_at: row.expires_at,
  status,
  last_used_at: row.last_used_at,
  revoked_at: row.revoked_at,
});

export const keyView = (parts: Parts, row: KeyRow): ApiKey => viewAs(row, statusOf(parts, row));

/** Whatever its maker holds. */
export const revokedView = (row: ApiKeyRow): ApiKey => viewAs(row, 'revoked');
