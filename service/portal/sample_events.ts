import type { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { fail } from '../core/fail.ts';
import type { ReadContext } from '../resources/read_context.ts';
import type { SampleEventInput } from '../sandbox_tools.ts';
import type { Service } from '../service.ts';

/**
 * POST /portal/api/sample-events: makes a sample event and returns it.
 * @throws ApiError sandbox_only; parameter_invalid: `object_id` is of another kind; not_found
 */
export const createSampleEvent =
  ({ sandboxTools, engine }: Pick<Service, 'sandboxTools' | 'engine'>) =>
  async ({ tenantId }: ReadContext, input: SampleEventInput): Promise<Event> => {
    if (!sandboxTools) throw fail('sandbox_only');
    const { body } = await engine.submit(sandboxTools.sampleEvent, { tenantId, input });
    return JSON.parse(body);
  };
