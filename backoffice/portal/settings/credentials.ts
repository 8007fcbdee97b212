import type { Credential } from '@tenant-payments/contract/resources/credentials.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  addClientSecret,
  listClientSecrets,
  retireClientSecret,
  revokeAccessTokens,
} from '@tenant-payments/service/tenants/client_secrets.ts';
import { auditedCommand } from '../../audit/command.ts';
import {
  createCredential,
  retireCredential,
  revokeTokens,
} from '../../contract/settings/credentials.ts';

/** The secrets of the Tenant's client, and its access tokens (rules/keys#6). */
export const credentials = {
  list: async ({ db, tenantId }: Pick<ReadContext, 'db' | 'tenantId'>): Promise<Page<Credential>> =>
    wholeList(await listClientSecrets(db, tenantId)),

  create: auditedCommand(createCredential, addClientSecret),

  retire: auditedCommand(retireCredential, retireClientSecret),

  revokeTokens: auditedCommand(revokeTokens, revokeAccessTokens),
};
