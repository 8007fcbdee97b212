import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { held, loadGrants } from './grant.ts';
import { addInvitation, loadInvited } from './invitations/make.ts';
import { assertManaged } from './members/change.ts';
import { platform } from './scope.ts';
import { endSessions } from './sessions/open.ts';
import { sessions } from './sessions/table.ts';
import { emailOf } from './sign_in/secrets.ts';
import { people, roleGrants } from './table.ts';

/** Commands on people that the command line has alone (rules/sign-in#15). */

interface Named {
  readonly email: string;
}

/** @throws ApiError not_found */
async function loadPerson(read: Read, email: string) {
  const person = await read.by(people, 'email', { email: emailOf(email) });
  if (!person) throw fail('not_found', { param: 'email' });
  const [grants, found] = await Promise.all([
    read.set(roleGrants, 'person_id', person.id),
    read.set(sessions, 'person_id', person.id),
  ]);
  return { person, grants: held(grants), sessions: found };
}

/** Nobody signs in as this person any more. @throws ApiError not_found; invalid_state: the last admin */
export const disablePerson = command('disable_person', {
  load: async (read, { email }: Named) => {
    const loaded = await loadPerson(read, email);
    const managed = loaded.grants.filter(({ role }) => role === 'admin' || role === 'owner');
    const scopes = await Promise.all(managed.map(({ scope }) => loadGrants(read, scope)));
    return { ...loaded, scopes };
  },
  decide: (work, { person, sessions, scopes }) => {
    if (person.disabled_at === null) work.change<typeof people>(person, { disabled_at: work.now });
    for (const scope of scopes) assertManaged(scope);
    endSessions(work, sessions, 'disabled');
    work.audit({ record: person.id });
    return { value: { id: person.id } };
  },
});

/** A disabled person may sign in again; the roles count as given anew. @throws ApiError not_found */
export const enablePerson = command('enable_person', {
  load: (read, { email }: Named) => loadPerson(read, email),
  decide: (work, { person, grants }) => {
    if (person.disabled_at !== null) {
      work.change<typeof people>(person, { disabled_at: null });
      const anew = { granted_at: work.now, bootstrap: false };
      for (const grant of grants) work.change<typeof roleGrants>(grant, anew);
    }
    work.audit({ record: person.id });
    return { value: { id: person.id } };
  },
});

/**
 * For somebody who has lost every passkey and recovery code: ends all sessions now, and makes a link
 * that replaces the passkeys once it is used. @throws ApiError not_found
 */
export const resetPerson = (parts: Pick<Service, 'config' | 'vault'>) =>
  command('reset_person', {
    load: async (read, { email }: Named) => {
      const [loaded, before] = await Promise.all([
        loadPerson(read, email),
        loadInvited(read, email),
      ]);
      return { ...loaded, before };
    },
    decide: (work, { sessions, before }, { email }) => {
      endSessions(work, sessions, 'passkeys_reset');
      const { actor: by } = work;
      const invited = { kind: 'reset', scope: platform, email, roles: [], by } as const;
      const made = addInvitation(work, parts, before, invited);
      work.audit({ record: made.id });
      return { value: made };
    },
  });
