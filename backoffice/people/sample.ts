import { randomBytes } from 'node:crypto';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { grantRoles } from './grant.ts';
import { people, roleGrants } from './table.ts';

/** Parts of commands that give a sandbox its sample people. Nobody invites them, and the audit has no row of it. */

export interface Sample {
  readonly email: string;
  readonly name: string;
  /** The roles that the person is to hold: one of them may hold a role in each Tenant. */
  readonly roles: readonly { readonly scope: string; readonly role: Role }[];
}

export async function loadSample(read: Read, { email, roles }: Sample) {
  const person = await read.by(people, 'email', { email });
  const found = person
    ? roles.map((one) => read.maybe(roleGrants, { ...one, person_id: person.id }))
    : [];
  const grants = (await Promise.all(found)).filter((row) => row !== null);
  return { person, grants };
}

/** Makes the person where there is none, and gives what is not held. @returns the id */
export function keepSample(
  work: Work,
  { person, grants }: Awaited<ReturnType<typeof loadSample>>,
  { email, name, roles }: Sample,
): string {
  const { id: personId } =
    person ??
    work.create(people, {
      id: work.newId(),
      email,
      name,
      passkey_handle: randomBytes(32).toString('base64url'),
      created_at: work.now,
      disabled_at: null,
      invited_by: null,
    });
  for (const { scope, role } of roles)
    grantRoles(work, grants, { scope, personId, roles: [role], by: null });
  return personId;
}
