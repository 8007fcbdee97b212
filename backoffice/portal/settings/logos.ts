import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Logo } from '@tenant-payments/contract/resources/logos.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { keepLogo } from '@tenant-payments/service/tenants/logos/logos.ts';
import type { uploadLogo as contract } from '../../contract/settings/logos.ts';

/** POST /portal/api/logos (rules/operations#72) @throws ApiError parameter_invalid */
export const uploadLogo =
  ({ config }: Pick<Service, 'config'>) =>
  ({ db, tenantId }: ReadContext, { png }: BodyOf<typeof contract>): Promise<Logo> =>
    keepLogo(db, config, tenantId, Buffer.from(png, 'base64'));
