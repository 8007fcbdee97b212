import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '../../engine/actor.ts';
import { idMaker } from '../../engine/new_id.ts';
import type { TestServer } from './server.ts';

const newId = idMaker();

/** Somebody on the staff since long ago, as commands take them: nobody signs in. */
export async function staffActor(
  { owner }: Pick<TestServer, 'owner'>,
  ...roles: readonly Role[]
): Promise<Actor> {
  const id = newId(Date.now());
  await owner.query(
    `insert into control.people (id, email, name, passkey_handle, created_at)
     values ($1::uuid, $2, 'Staff', $1::uuid::text, '2020-01-01')`,
    [id, `${id}@staff.example`],
  );
  await owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at)
     select 'platform', $1, role, '2020-01-01' from unnest($2::text[]) role`,
    [id, roles],
  );
  return { kind: 'person', id, personId: id, roles, address: null, requestId: null };
}
