import { type Command, command } from '../../core/command.ts';
import type { Values } from '../../core/entity.ts';
import type { Work } from '../../core/work.ts';
import { previousAttributes } from '../../core/write/event.ts';
import type { QrSigner } from '../../resources/payment_requests/qr.ts';
import type { SampleEventInput } from '../../sandbox_tools.ts';
import { expiresInSeconds, newExample } from './example.ts';
import { examples } from './examples.ts';
import { readRecord } from './records.ts';
import { recordBefore, resourceOf, type Step, statusOf, stepOf } from './steps.ts';

const ageSeconds = 5 * 60;

/** A record after a step, and before it. */
interface Shown {
  readonly id: string;
  readonly version: number;
  readonly object: Values;
  readonly earlier: Values | null;
}

/** An example record with new ids. */
function exampleOf(work: Work, step: Step, qr: QrSigner): Shown {
  const { resource, from, to, change, version } = step;
  const oldSeconds = to === 'expired' ? expiresInSeconds : ageSeconds;
  const past = { version, ageSeconds: change === 'begins' ? 0 : oldSeconds };
  const example = newExample(work, past, qr);
  // Each step names states of its own resource, which the compiler cannot follow.
  const recordIn = (status: string): Values => ({
    ...examples[resource](example, status as never),
  });
  const object = recordIn(to);
  const earlier = change === 'status' ? recordIn(from) : recordBefore(step, object);
  return { id: example.uuidOf(resource), version, object, earlier };
}

/**
 * POST /portal/api/sample-events: an event to test a receiver with (rules/sandbox#35). It changes no
 * record, and is signed, retried, listed and resent like any other.
 * @throws ApiError parameter_invalid: `object_id` is of another kind; not_found
 */
export const openSampleEvents = (qr: QrSigner): Command<SampleEventInput> =>
  command('sample_event', {
    load: async (read, { type, object_id }: SampleEventInput) =>
      object_id === undefined ? null : readRecord(read, resourceOf(type), object_id),
    decide: (work, found, { type }) => {
      const resource = resourceOf(type);
      const step = stepOf(type, found && statusOf(resource, found.object));
      const shown: Shown = found
        ? { ...found, earlier: recordBefore(step, found.object) }
        : exampleOf(work, step, qr);
      const { id, version, object, earlier } = shown;
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
