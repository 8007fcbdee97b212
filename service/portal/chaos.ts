import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  type Chaos,
  type putChaos as contract,
  defaultSeed,
} from '@tenant-payments/contract/portal/chaos.ts';
import { fail } from '../core/fail.ts';
import type { ReadContext } from '../resources/read_context.ts';
import type { SandboxTools } from '../sandbox_tools.ts';
import type { Service } from '../service.ts';

type Context = Pick<Service, 'sandboxTools'>;

function chaosOf({ sandboxTools }: Context): SandboxTools['chaos'] {
  if (!sandboxTools) throw fail('sandbox_only');
  return sandboxTools.chaos;
}

/** GET /portal/api/chaos @throws ApiError sandbox_only */
export const getChaos =
  (service: Context) =>
  async ({ tenantId }: ReadContext): Promise<Chaos> =>
    chaosOf(service).get(tenantId);

/**
 * PUT /portal/api/chaos: a fault without a value is off.
 * @throws ApiError sandbox_only
 */
export const putChaos =
  (service: Context) =>
  async ({ tenantId, now }: ReadContext, body: BodyOf<typeof contract>): Promise<Chaos> => {
    const chaos = chaosOf(service);
    const { duplicate = 0, out_of_order = 0, fail_first_attempt = 0, api_503 = 0 } = body;
    const { seed = defaultSeed } = body;
    const setting = { duplicate, out_of_order, fail_first_attempt, api_503, seed };
    return chaos.put(tenantId, setting, await now());
  };
