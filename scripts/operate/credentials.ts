import { credentials } from '../../backoffice/portal/settings/credentials.ts';
import type { Deployment } from './deployment.ts';
import { recorded } from './recorded.ts';
import { type OfTenant, openTenant } from './tenant.ts';

/** As the portal's operations of the same names (rules/keys#6). */
export const operations = {
  async list(deployment: Deployment, given: OfTenant) {
    return credentials.list((await openTenant(deployment, given)).context);
  },

  async create(deployment: Deployment, given: OfTenant) {
    const { context } = await openTenant(deployment, given);
    return recorded(
      deployment,
      {
        act: 'createCredential',
        tenantId: context.tenantId,
        event: 'client_secret_made',
        names: ['client_id', 'id'],
      },
      (db) => credentials.create({ ...context, db }),
    );
  },

  async retire(deployment: Deployment, given: OfTenant & { readonly id: string }) {
    const { context } = await openTenant(deployment, given);
    return recorded(
      deployment,
      {
        act: 'retireCredential',
        tenantId: context.tenantId,
        event: 'client_secret_retired',
        names: ['client_id', 'id'],
      },
      (db) => credentials.retire({ ...context, db }, given),
    );
  },

  async revokeTokens(deployment: Deployment, given: OfTenant) {
    const { context } = await openTenant(deployment, given);
    return recorded(
      deployment,
      { act: 'revokeTokens', tenantId: context.tenantId, event: 'tokens_revoked' },
      (db) => credentials.revokeTokens({ ...context, db }),
    );
  },
};
