import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Magic } from '../../contract/sandbox/sandbox.ts';

/** GET /portal/api/sandbox/magic @throws ApiError sandbox_only */
export const getMagic =
  ({ sandboxTools }: Pick<Service, 'sandboxTools'>) =>
  async (): Promise<Magic> => {
    if (!sandboxTools) throw fail('sandbox_only');
    return sandboxTools.magic;
  };
