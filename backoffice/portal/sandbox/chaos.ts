import type { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';

type Context = Pick<Service, 'sandboxTools'>;

/** GET /portal/api/chaos @throws ApiError sandbox_only */
export const getChaos =
  ({ sandboxTools }: Context) =>
  async ({ db, tenantId }: Pick<ReadContext, 'db' | 'tenantId'>): Promise<Chaos> => {
    if (!sandboxTools) throw fail('sandbox_only');
    return sandboxTools.chaos.get(db, tenantId);
  };

const refused: Command<Partial<Chaos>> = command('put_chaos', {
  load: async () => null,
  decide: () => {
    throw fail('sandbox_only');
  },
});

/** PUT /portal/api/chaos @throws ApiError sandbox_only; parameter_invalid: it would have ended already */
export const putChaos = ({ sandboxTools }: Context): Command<Partial<Chaos>> =>
  sandboxTools?.chaos.put ?? refused;
