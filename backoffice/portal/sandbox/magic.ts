import type { Magic } from '@tenant-payments/contract/sandbox/magic.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';

/** GET /portal/api/sandbox/magic @throws ApiError sandbox_only */
export const getMagic =
  ({ sandboxTools }: Pick<Service, 'sandboxTools'>) =>
  async (): Promise<Magic> => {
    if (!sandboxTools) throw fail('sandbox_only');
    return sandboxTools.magic;
  };
