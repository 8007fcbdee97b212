import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { addInvitation, invite, type MadeInvitation } from './invitations/invitations.ts';
import { assertManaged } from './members/members.ts';
import { lockPeople, platform, type Queryable, scopesOf } from './scope.ts';
import { endSessions } from './sessions/sessions.ts';
import { emailOf } from './sign_in/secrets.ts';

/**
 * What the command line does to people without HTTP (rules/sign-in#15). Each runs inside a transaction
 * of its caller, so that an audit row can be written with it.
 */
type Parts = Pick<Service, 'clocks' | 'config' | 'vault'>;
type By = Pick<Actor, 'kind' | 'id'>;

/** Invites somebody to the platform or to a Tenant. @throws ApiError invalid_state, not_found */
export async function invitePerson(
  connection: Queryable,
  parts: Parts,
  invited: { scope: string; email: string; roles: readonly Role[]; by: By },
): Promise<MadeInvitation> {
  if (invited.scope !== platform) {
    const { rowCount } = await connection.query(
      'select from control.served_tenants() where tenant_id::text = $1',
      [invited.scope],
    );
    if (rowCount === 0) throw fail('not_found', { param: 'scope' });
  }
  return invite(connection, parts, invited);
}

/** @throws ApiError not_found */
async function personOf(connection: Queryable, email: string): Promise<string> {
  const { rows } = await connection.query<{ id: string }>(
    'select id from control.people where email = $1',
    [emailOf(email)],
  );
  if (!rows[0]) throw fail('not_found', { param: 'email' });
  return rows[0].id;
}

/** Nobody signs in as this person any more. @throws ApiError not_found; invalid_state: the last admin */
export async function disablePerson(
  connection: Queryable,
  parts: Pick<Service, 'clocks'>,
  email: string,
): Promise<{ readonly id: string }> {
  await lockPeople(connection);
  const id = await personOf(connection, email);
  await connection.query(
    'update control.people set disabled_at = coalesce(disabled_at, $2) where id = $1',
    [id, instantOf(parts.clocks.realNow())],
  );
  for (const { scope, roles } of await scopesOf(connection, id))
    if (roles.includes('admin') || roles.includes('owner')) await assertManaged(connection, scope);
  await endSessions(connection, parts, { personId: id }, 'disabled');
  return { id };
}

/** A disabled person may sign in again; the roles count as given anew. @throws ApiError not_found */
export async function enablePerson(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  email: string,
): Promise<{ readonly id: string }> {
  const id = await personOf(connection, email);
  const { rowCount } = await connection.query(
    'update control.people set disabled_at = null where id = $1 and disabled_at is not null',
    [id],
  );
  if (rowCount !== 0)
    await connection.query(
      'update control.roles set granted_at = $2, bootstrap = false where person_id = $1',
      [id, instantOf(clocks.realNow())],
    );
  return { id };
}

/**
 * For somebody who has lost every passkey and recovery code: ends all sessions now, and makes a link
 * that replaces the passkeys once it is used. @throws ApiError not_found
 */
export async function resetPerson(
  connection: Queryable,
  parts: Parts,
  { email, by }: { readonly email: string; readonly by: By },
): Promise<MadeInvitation> {
  const personId = await personOf(connection, email);
  await endSessions(connection, parts, { personId }, 'passkeys_reset');
  return addInvitation(connection, parts, 'reset', { scope: platform, email, roles: [], by });
}
