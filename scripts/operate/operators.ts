import { createStaffInvitation as contract } from '@tenant-payments/backoffice/contract/people/invitations.ts';
import type { StaffRole } from '@tenant-payments/contract/core/roles.ts';
import { disablePerson, enablePerson, resetPerson } from '../../backoffice/people/commands.ts';
import type { MadeInvitation } from '../../backoffice/people/invitations/make.ts';
import { createInvitation } from '../../backoffice/people/invitations/manage.ts';
import { listMembers } from '../../backoffice/people/members/members.ts';
import { ofPlatform, platform } from '../../backoffice/people/scope.ts';
import { wholeList } from '../../engine/pages.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import type { Deployment } from './deployment.ts';
import { submittedToPlatform } from './submit.ts';

interface Named {
  readonly email: string;
}

interface Person {
  readonly id: string;
}

/** Staff of the platform: who has the deployment's settings needs no role of it (rules/operations#46). */
export const operations = {
  async create(deployment: Deployment, invited: Named & { readonly roles: StaffRole[] }) {
    assertShape(contract.body, invited);
    const told = { act: 'createStaffInvitation', event: 'person_invited' } as const;
    const command = createInvitation(await deployment.parts(), ofPlatform);
    const input = { ...invited, tenantId: '' };
    return submittedToPlatform<MadeInvitation, typeof input>(deployment, told, command, input);
  },

  async list(deployment: Deployment) {
    const { pool } = await deployment.database();
    return wholeList(await listMembers(pool, platform));
  },

  async disable(deployment: Deployment, named: Named) {
    const told = { act: 'disablePerson', event: 'person_disabled' } as const;
    return submittedToPlatform<Person, Named>(deployment, told, disablePerson, named);
  },

  async enable(deployment: Deployment, named: Named) {
    const told = { act: 'enablePerson', event: 'person_enabled' } as const;
    return submittedToPlatform<Person, Named>(deployment, told, enablePerson, named);
  },

  async reset(deployment: Deployment, named: Named) {
    const told = { act: 'resetPerson', event: 'person_reset' } as const;
    const command = resetPerson(await deployment.parts());
    return submittedToPlatform<MadeInvitation, Named>(deployment, told, command, named);
  },
};
