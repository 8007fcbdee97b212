import type { Member } from '../../contract/people/members.ts';
import type { Notice } from './notices.ts';

/** The notice of a change of roles. */
export const changeNotice = (
  scope: string,
  {
    before,
    after,
  }: { readonly before: Pick<Member, 'roles'>; readonly after: Pick<Member, 'id' | 'roles'> },
): Notice => ({
  kind: 'roles_changed',
  personId: after.id,
  scope,
  roles: after.roles,
  gained: after.roles.filter((role) => !before.roles.includes(role)),
});
