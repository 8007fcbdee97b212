import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  type Chaos,
  type putChaos as contract,
  defaultSeed,
} from '@tenant-payments/contract/portal/chaos.ts';
import { fail } from '../core/fail.ts';
import type { SandboxTools } from '../sandbox_tools.ts';
import type { ReadContext, Service } from '../service.ts';

type Needs = Pick<Service, 'sandboxTools'>;

function chaosOf({ sandboxTools }: Needs): SandboxTools['chaos'] {
  if (!sandboxTools) throw fail('sandbox_only');
  return sandboxTools.chaos;
}

/** GET /portal/api/chaos @throws ApiError sandbox_only */
export const getChaos =
  (service: Needs) =>
  async ({ tenantId }: ReadContext): Promise<Chaos> =>
    chaosOf(service).get(tenantId);

/**
 * PUT /portal/api/chaos: what is not given does not strike.
 * @throws ApiError sandbox_only
 */
export const putChaos =
  (service: Needs) =>
  async ({ tenantId, now }: ReadContext, body: BodyOf<typeof contract>): Promise<Chaos> => {
    const chaos = chaosOf(service);
    const { duplicate = 0, out_of_order = 0, fail_first_attempt = 0, api_503 = 0 } = body;
    const { seed = defaultSeed } = body;
    const setting = { duplicate, out_of_order, fail_first_attempt, api_503, seed };
    return chaos.put(tenantId, setting, await now());
  };
