import { createInvitation as contract } from '@tenant-payments/backoffice/contract/people/invitations.ts';
import type { MemberRole } from '@tenant-payments/contract/core/roles.ts';
import { invitePerson } from '../../backoffice/people/commands.ts';
import { listMembers } from '../../backoffice/people/members/members.ts';
import { queryableOf } from '../../backoffice/people/scope.ts';
import { wholeList } from '../../engine/pages.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { recorded } from './recorded.ts';
import { findTenant, type OfTenant } from './tenant.ts';

interface Invited extends OfTenant {
  readonly email: string;
  readonly roles: MemberRole[];
}

export const operations = {
  async invite(deployment: Deployment, { tenant, ...invited }: Invited) {
    assertShape(contract.body, invited);
    const parts = await deployment.parts();
    await findTenant(parts, tenant);
    const act = { act: 'createInvitation', tenantId: tenant, event: 'person_invited' } as const;
    return recorded(deployment, act, (tx) =>
      invitePerson(queryableOf(tx), parts, { ...invited, scope: tenant, by: commandLine() }),
    );
  },

  async list(deployment: Deployment, { tenant }: OfTenant) {
    const parts = await deployment.database();
    await findTenant(parts, tenant);
    return wholeList(await listMembers(parts.pool, tenant));
  },
};
