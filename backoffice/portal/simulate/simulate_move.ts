import type { SimulationResult } from '@tenant-payments/contract/resources/simulations.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { SimulateInput } from '@tenant-payments/service/sandbox_tools.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SimulatedMove } from '../../contract/records/simulations.ts';

/** The command where nothing simulates; the guard has refused the call before. */
const refused: Command<SimulateInput> = {
  name: 'simulate',
  load: async () => {
    throw fail('sandbox_only');
  },
  decide: () => ({ value: null }),
};

/**
 * POST /portal/api/simulate/{event}: the API's command, with its row of the audit (rules/portal-records#3).
 * @throws ApiError what POST /v1/sandbox/simulate/{event} throws
 */
export function simulateMove({
  sandboxTools,
}: Pick<Service, 'sandboxTools'>): Command<SimulateInput> {
  const simulate = sandboxTools?.simulator.simulate ?? refused;
  return {
    ...simulate,
    name: 'simulate_move',
    decide: (work, loaded, input, prepared) => {
      const answer = simulate.decide(work, loaded, input, prepared);
      const { event, object_id, failure_code = null } = input;
      work.audit({ record: object_id, after: { event, failure_code } });
      const { value } = answer as { value: SimulationResult };
      const result: SimulatedMove = { ...value, request_id: work.actor.requestId };
      return { value: result };
    },
  };
}
