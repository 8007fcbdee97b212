import { createInvitation as contract } from '@tenant-payments/contract/portal/people/invitations.ts';
import type { MemberRole } from '@tenant-payments/contract/portal/roles.ts';
import { wholeList } from '../../service/core/pages.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { invitePerson } from '../../service/people/commands.ts';
import { listMembers } from '../../service/people/members/members.ts';
import { queryableOf } from '../../service/people/scope.ts';
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
