import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';

/** Whether the audit explains what lets people in and what they may do (rules/audit#22). */

export interface UnexplainedRight {
  readonly kind: 'role' | 'passkey' | 'api_key';
  /** A name made of ids and words alone: it may be logged. */
  readonly name: string;
}

const after = "a.body::jsonb -> 'after'";
const known = (kind: string, name: string) =>
  `exists (select from control.known_rights n where n.kind = '${kind}' and n.name = ${name})`;

/** The last change of somebody's roles in a scope says which they are; without one, what was there before. */
const roles = `
  select 'role' as kind, concat_ws(' ', r.scope, r.person_id, r.role) as name
  from control.roles r left join lateral (
    select ${after} -> 'roles' as roles from control.audit a
    where a.scope = r.scope and a.outcome = 'done' and jsonb_typeof(${after} -> 'roles') = 'array' and (
      a.act in ('putMember', 'removeMember', 'putStaff', 'removeStaff') and a.record = r.person_id::text
      or a.act in ('finishAcceptance', 'finishSingleSignOn') and a.person_id = r.person_id::text
        and ${after} ->> 'kind' is distinct from 'reset')
    order by a.number desc limit 1) last on true
  where not coalesce(last.roles ? r.role, ${known('role', "concat_ws(' ', r.scope, r.person_id, r.role)")})`;

const hashed = "encode(sha256(convert_to(k.public_key, 'UTF8')), 'hex')";

const passkeys = `
  select 'passkey' as kind, concat_ws(' ', k.person_id, k.id) as name
  from control.person_passkeys k
  where not ${known('passkey', `concat_ws(' ', k.id, k.person_id, ${hashed})`)} and not exists (
    select from made a where a.act in ('addMyPasskey', 'finishAcceptance')
      and a.person_id = k.person_id::text and a.after ->> 'passkey_id' = k.id::text
      and a.after ->> 'key' = ${hashed})`;

/** A key's end may only come earlier than it was made with. */
const apiKeys = `
  select 'api_key' as kind, concat_ws(' ', k.scope, k.id) as name
  from control.api_keys k
  where not ${known(
    'api_key',
    "concat_ws(' ', k.id, k.scope, k.person_id, k.key_hash, array_to_string(k.roles, ','))",
  )} and not exists (
    select from made a where a.act in ('createApiKey', 'pollDeviceSignIn') and a.record = k.id::text
      and a.person_id is not distinct from k.person_id::text and a.after -> 'roles' = to_jsonb(k.roles)
      and (a.after ->> 'expires_at')::timestamptz >= k.expires_at)`;

const made = `with made as materialized (
  select a.act, a.record, a.person_id, ${after} as after from control.audit a
  where a.outcome = 'done'
    and a.act in ('addMyPasskey', 'finishAcceptance', 'createApiKey', 'pollDeviceSignIn'))`;

/** Each role, passkey and key that no row of the audit explains: somebody has written it past the service. */
export async function unexplainedRights(db: Queryable): Promise<UnexplainedRight[]> {
  const { rows } = await db.query<UnexplainedRight>(
    `${made} ${roles} union all ${passkeys} union all ${apiKeys} order by kind, name`,
  );
  return rows;
}
