import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type Chaos, defaultSeed } from '@tenant-payments/contract/sandbox/chaos.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { SandboxTools } from '@tenant-payments/service/sandbox_tools.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { putChaos as contract } from '../../contract/sandbox/chaos.ts';

type Context = Pick<Service, 'sandboxTools'>;
type Timed = Context & Pick<Service, 'clocks'>;

function chaosOf({ sandboxTools }: Context): SandboxTools['chaos'] {
  if (!sandboxTools) throw fail('sandbox_only');
  return sandboxTools.chaos;
}

/** GET /portal/api/chaos @throws ApiError sandbox_only */
export const getChaos =
  (service: Context) =>
  async ({ db, tenantId }: ReadContext): Promise<Chaos> =>
    chaosOf(service).get(db, tenantId);

/**
 * PUT /portal/api/chaos: a fault without a value is off.
 * @throws ApiError sandbox_only; parameter_invalid: it would have ended already
 */
export const putChaos =
  (service: Timed) =>
  async ({ db, tenantId, now }: ReadContext, body: BodyOf<typeof contract>): Promise<Chaos> => {
    const chaos = chaosOf(service);
    const { duplicate = 0, out_of_order = 0, fail_first_attempt = 0, api_503 = 0 } = body;
    const { seed = defaultSeed, ends_at = null } = body;
    if (ends_at !== null && epochMs(ends_at) <= service.clocks.realNow())
      throw fail('parameter_invalid', { param: 'ends_at', details: { reason: 'past' } });
    const setting = { duplicate, out_of_order, fail_first_attempt, api_503, seed, ends_at };
    return chaos.put(db, tenantId, setting, await now());
  };
