import type { Magic } from '@tenant-payments/contract/portal/sandbox/sandbox.ts';
import { fail } from '../../core/fail.ts';
import type { Service } from '../../service.ts';

/** GET /portal/api/sandbox/magic @throws ApiError sandbox_only */
export const getMagic =
  ({ sandboxTools }: Pick<Service, 'sandboxTools'>) =>
  async (): Promise<Magic> => {
    if (!sandboxTools) throw fail('sandbox_only');
    return sandboxTools.magic;
  };
