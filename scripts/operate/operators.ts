import { createStaffInvitation as contract } from '@tenant-payments/backoffice/contract/people/invitations.ts';
import type { StaffRole } from '@tenant-payments/contract/core/roles.ts';
import {
  disablePerson,
  enablePerson,
  invitePerson,
  resetPerson,
} from '../../backoffice/people/commands.ts';
import { listMembers } from '../../backoffice/people/members/members.ts';
import { platform, queryableOf } from '../../backoffice/people/scope.ts';
import { wholeList } from '../../engine/pages.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { recorded } from './recorded.ts';

interface Named {
  readonly email: string;
}

/** Staff of the platform: who has the deployment's settings needs no role of it (rules/operations#46). */
export const operations = {
  async create(deployment: Deployment, invited: Named & { readonly roles: StaffRole[] }) {
    assertShape(contract.body, invited);
    const parts = await deployment.parts();
    const act = { act: 'createStaffInvitation', event: 'person_invited' } as const;
    return recorded(deployment, act, (tx) =>
      invitePerson(queryableOf(tx), parts, { ...invited, scope: platform, by: commandLine() }),
    );
  },

  async list(deployment: Deployment) {
    const { pool } = await deployment.database();
    return wholeList(await listMembers(pool, platform));
  },

  async disable(deployment: Deployment, { email }: Named) {
    const parts = await deployment.database();
    return recorded(deployment, { act: 'disablePerson', event: 'person_disabled' }, (tx) =>
      disablePerson(queryableOf(tx), parts, email),
    );
  },

  async enable(deployment: Deployment, { email }: Named) {
    const parts = await deployment.database();
    return recorded(deployment, { act: 'enablePerson', event: 'person_enabled' }, (tx) =>
      enablePerson(queryableOf(tx), parts, email),
    );
  },

  async reset(deployment: Deployment, { email }: Named) {
    const parts = await deployment.parts();
    return recorded(deployment, { act: 'resetPerson', event: 'person_reset' }, (tx) =>
      resetPerson(queryableOf(tx), parts, { email, by: commandLine() }),
    );
  },
};
