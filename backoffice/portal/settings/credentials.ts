import type {
  Credential,
  NewCredential,
  RevokedTokens,
} from '@tenant-payments/contract/resources/credentials.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  addClientSecret,
  listClientSecrets,
  retireClientSecret,
  revokeAccessTokens,
} from '@tenant-payments/service/tenants/client_secrets.ts';

type Context = Omit<ReadContext, 'pages'>;

/** The secrets of the Tenant's client, and its access tokens (rules/keys#6). */
export const credentials = {
  list: async ({ db, tenantId }: Context): Promise<Page<Credential>> =>
    wholeList(await listClientSecrets(db, tenantId)),

  create: async ({ db, tenantId, now }: Context): Promise<NewCredential> =>
    addClientSecret(db, tenantId, await now()),

  retire: async ({ db, tenantId, now }: Context, { id }: { id: string }): Promise<Credential> =>
    retireClientSecret(db, tenantId, id, await now()),

  revokeTokens: async ({ db, tenantId }: Context): Promise<RevokedTokens> => ({
    revoked: await revokeAccessTokens(db, tenantId),
  }),
};
