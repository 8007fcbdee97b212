import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type {
  uploadLogo as contract,
  Logo,
} from '@tenant-payments/contract/portal/settings/logos.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import type { Service } from '../../service.ts';
import { keepLogo } from '../../tenants/logos/logos.ts';

/** POST /portal/api/logos (rules/operations#72) @throws ApiError parameter_invalid */
export const uploadLogo =
  ({ config }: Pick<Service, 'config'>) =>
  ({ db, tenantId }: ReadContext, { png }: BodyOf<typeof contract>): Promise<Logo> =>
    keepLogo(db, config, tenantId, Buffer.from(png, 'base64'));
