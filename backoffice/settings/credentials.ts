import type { Credential } from '@tenant-payments/contract/resources/credentials.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { listClientSecrets } from '@tenant-payments/service/tenants/client_secrets.ts';

type Context = Pick<ReadContext, 'db' | 'tenantId'>;

/** GET /portal/api/credentials (rules/keys#6) */
export const listCredentials = async ({ db, tenantId }: Context): Promise<Page<Credential>> =>
  wholeList(await listClientSecrets(db, tenantId));
