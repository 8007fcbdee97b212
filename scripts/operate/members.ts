import { createInvitation as contract } from '@tenant-payments/backoffice/contract/people/invitations.ts';
import type { MemberRole } from '@tenant-payments/contract/core/roles.ts';
import type { MadeInvitation } from '../../backoffice/people/invitations/make.ts';
import { createInvitation } from '../../backoffice/people/invitations/manage.ts';
import { listMembers } from '../../backoffice/people/members/members.ts';
import { ofTenant } from '../../backoffice/people/scope.ts';
import { wholeList } from '../../engine/pages.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import type { Deployment } from './deployment.ts';
import { submittedToPlatform } from './submit.ts';
import { findTenant, type OfTenant } from './tenant.ts';

interface Invited extends OfTenant {
  readonly email: string;
  readonly roles: MemberRole[];
}

export const operations = {
  async invite(deployment: Deployment, { tenant, ...invited }: Invited) {
    assertShape(contract.body, invited);
    const told = { act: 'createInvitation', tenantId: tenant, event: 'person_invited' } as const;
    const command = createInvitation(await deployment.parts(), ofTenant);
    const input = { ...invited, tenantId: tenant };
    return submittedToPlatform<MadeInvitation, typeof input>(deployment, told, command, input);
  },

  async list(deployment: Deployment, { tenant }: OfTenant) {
    const parts = await deployment.database();
    await findTenant(parts, tenant);
    return wholeList(await listMembers(parts.pool, tenant));
  },
};
