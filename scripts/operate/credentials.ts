import type { Page } from '@tenant-payments/engine/pages.ts';
import { listCredentials } from '../../backoffice/settings/credentials.ts';
import { noteClientSecret } from '../../backoffice/tenants/sandbox_file.ts';
import type {
  Credential,
  NewCredential,
  RevokedTokens,
} from '../../contract/resources/credentials.ts';
import {
  addClientSecret,
  retireClientSecret,
  revokeAccessTokens,
} from '../../service/tenants/client_secrets.ts';
import type { Deployment } from './deployment.ts';
import { submitted } from './submit.ts';
import { type OfTenant, openTenant } from './tenant.ts';

const names = ['client_id', 'id'];

/** The commands of the portal's operations of the same names (rules/keys#6). */
export const operations = {
  async list(deployment: Deployment, given: OfTenant): Promise<Page<Credential>> {
    return listCredentials((await openTenant(deployment, given)).context);
  },

  async create(deployment: Deployment, { tenant }: OfTenant) {
    const told = { act: 'createCredential', event: 'client_secret_made', names } as const;
    const made = await submitted<NewCredential>(deployment, tenant, told, addClientSecret, {});
    await noteClientSecret(deployment.settings, made);
    return made;
  },

  retire(deployment: Deployment, { tenant, id }: OfTenant & { readonly id: string }) {
    const told = { act: 'retireCredential', event: 'client_secret_retired', names } as const;
    return submitted<Credential, { id: string }>(deployment, tenant, told, retireClientSecret, {
      id,
    });
  },

  revokeTokens(deployment: Deployment, { tenant }: OfTenant) {
    const told = { act: 'revokeTokens', event: 'tokens_revoked' } as const;
    return submitted<RevokedTokens>(deployment, tenant, told, revokeAccessTokens, {});
  },
};
