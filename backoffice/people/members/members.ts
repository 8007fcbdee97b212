import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Member } from '../../contract/people/members.ts';

/** Members of a Tenant and staff of the platform as they are shown (rules/sign-in#14). */

/** `$1` is the scope. */
const shown = `
  select p.id, p.email, p.name, p.disabled_at is not null as disabled,
    array(select role from control.roles r where r.scope = $1 and r.person_id = p.id order by role)
      as roles,
    (select count(*) from control.person_passkeys k where k.person_id = p.id) as passkeys,
    (select max(created_at) from control.sessions s where s.person_id = p.id) as last_signed_in_at
  from control.people p`;

const holds = 'exists (select from control.roles r where r.scope = $1 and r.person_id = p.id)';

export async function listMembers(db: Queryable, scope: string): Promise<Member[]> {
  const { rows } = await db.query<Member>(`${shown} where ${holds} order by p.email`, [scope]);
  return rows;
}

/** @throws ApiError not_found: holds no role there */
export async function memberOf(db: Queryable, scope: string, id: string): Promise<Member> {
  const { rows } = isUuid(id)
    ? await db.query<Member>(`${shown} where p.id = $2 and ${holds}`, [scope, id])
    : { rows: [] };
  if (!rows[0]) throw fail('not_found');
  return rows[0];
}
