import type { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { SampleEventInput } from '@tenant-payments/service/sandbox_tools.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { PortalEndpoint } from '../../contract/endpoint.ts';
import { createSampleEvent as contract } from '../../contract/sandbox/chaos.ts';

/** The same command, with the event's type in its row of the audit. */
const audited = (command: Command<SampleEventInput>): Command<SampleEventInput> => ({
  ...command,
  decide: (work, loaded, input, prepared) => {
    const answer = command.decide(work, loaded, input, prepared);
    work.audit({ after: { type: input.type } });
    return answer;
  },
});

/**
 * POST /portal/api/sample-events: makes a sample event and returns it.
 * @throws ApiError sandbox_only; parameter_invalid: `object_id` is of another kind; not_found
 */
export const createSampleEvent =
  (
    { sandboxTools, engine }: Pick<Service, 'sandboxTools' | 'engine'>,
    endpoint: PortalEndpoint = contract,
  ) =>
  async (
    { tenantId, actor }: Pick<ReadContext, 'tenantId' | 'actor'>,
    input: SampleEventInput,
  ): Promise<Event> => {
    if (!sandboxTools) throw fail('sandbox_only');
    const act = { act: endpoint.id, record: input.object_id ?? null, scope: tenantId };
    const command = audited(sandboxTools.sampleEvent);
    const { body } = await engine.submit(command, { tenantId, actor, act, input });
    return JSON.parse(body);
  };
