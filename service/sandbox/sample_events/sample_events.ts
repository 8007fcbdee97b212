import type { EventType } from '@tenant-payments/contract/lifecycles.ts';
import { type Command, command } from '../../core/command.ts';
import type { Values } from '../../core/entity.ts';
import { previousAttributes } from '../../core/write/event.ts';
import type { Work } from '../../core/work.ts';
import type { QrSigner } from '../../resources/payment_requests/qr.ts';
import type { SampleEventInput } from '../../sandbox_tools.ts';
import { expiresInSeconds, openHand } from './example.ts';
import { examples } from './examples.ts';
import { readRecord } from './records.ts';
import { recordBefore, resourceOf, type Step, statusOf, stepOf } from './steps.ts';

const ageSeconds = 5 * 60;

/** A record after a step, and before it. */
interface Told {
  readonly id: string;
  readonly version: number;
  readonly object: Values;
  readonly earlier: Values | null;
}

/** Nobody's record, complete and plausible, with ids of its own. */
function exampleOf(work: Work, step: Step, qr: QrSigner): Told {
  const { resource, from, to, change, version } = step;
  const oldSeconds = to === 'expired' ? expiresInSeconds : ageSeconds;
  const past = { version, ageSeconds: change === 'begins' ? 0 : oldSeconds };
  const hand = openHand(work, past, qr);
  const recordIn = (status: string): Values => ({ ...examples[resource](hand, status as never) });
  const object = recordIn(to);
  const earlier = change === 'status' ? recordIn(from) : recordBefore(step, object);
  return { id: hand.uuidOf(resource), version, object, earlier };
}

/**
 * POST /portal/api/sample-events: an event to try a receiver with. It changes no record, and all
 * that follows is as for any other event: outbox, signature, retries, listing, resend.
 * @throws ApiError parameter_invalid: `object_id` is of another kind; not_found
 */
export const openSampleEvents = (qr: QrSigner): Command<SampleEventInput> => {
  const sample = command('sample_event', {
    load: async (read, { type, object_id }: SampleEventInput) =>
      object_id === undefined ? null : readRecord(read, resourceOf(type as EventType), object_id),
    decide: (work, found, input) => {
      const type = input.type as EventType;
      const resource = resourceOf(type);
      const step = stepOf(type, found && statusOf(resource, found.object));
      const told: Told = found
        ? { ...found, earlier: recordBefore(step, found.object) }
        : exampleOf(work, step, qr);
      const { id, version, object, earlier } = told;
      const body = work.sample({
        type,
        objectType: resource,
        objectId: id,
        version,
        object: JSON.stringify(object),
        previous: earlier && previousAttributes(earlier, object),
      });
      return { value: JSON.parse(body) };
    },
  });
  return sample as unknown as Command<SampleEventInput>;
};
