import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { exampleOf } from '@tenant-payments/contract/examples/event_example.ts';
import {
  recordBefore,
  resourceOf,
  statusOf,
  stepOfEvent,
} from '@tenant-payments/contract/steps.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { previousAttributes } from '@tenant-payments/engine/write/event.ts';
import type { QrSigner } from '../../resources/payment_requests/qr.ts';
import type { SampleEventInput } from '../../sandbox_tools.ts';
import { furtherEndpoints, namedEndpoint } from '../../webhooks/further_table.ts';
import { notEnabled } from '../../webhooks/resend.ts';
import { signedAlone } from '../../webhooks/table.ts';
import { assertRecord, uuidOfRecord } from './edited.ts';
import { readRecord } from './records.ts';

type Found = Awaited<ReturnType<typeof readRecord>> | null;

/** The object that the event shows: the record or an example, or what was given in its place. */
function shownOf(work: Work, found: Found, { type, object }: SampleEventInput, qr: QrSigner) {
  const resource = resourceOf(type);
  const step = stepOfEvent(type, found && statusOf(resource, found.object));
  const shown = found
    ? { ...found, earlier: recordBefore(step, found.object) }
    : exampleOf(work, step, qr);
  if (object === undefined) return shown;
  assertRecord(resource, object, found);
  const ownId = uuidOfRecord(resource, object);
  const edited = stepOfEvent(type, statusOf(resource, object));
  return { ...shown, id: ownId ?? shown.id, object, earlier: recordBefore(edited, object) };
}

/**
 * POST /portal/api/sample-events: an event to test a receiver with (rules/sandbox#35). It changes no
 * record, and is signed, retried, listed and resent like any other.
 * @throws ApiError parameter_invalid: `object_id` is of another kind, `object` no valid record; not_found;
 *   invalid_state: the endpoint that it names is not enabled
 */
export const openSampleEvents = (qr: QrSigner): Command<SampleEventInput> =>
  command('sample_event', {
    load: async (read, { type, object_id, endpoint_id }: SampleEventInput) => {
      const [found, endpoints] = await Promise.all([
        object_id === undefined ? null : readRecord(read, resourceOf(type), object_id),
        endpoint_id === undefined ? [] : read.all(furtherEndpoints),
      ]);
      return { found, endpoints };
    },
    decide: (work, { found, endpoints }, input) => {
      const { type, signedBy, endpoint_id } = input;
      const only = endpoint_id === undefined ? null : namedEndpoint(endpoints, endpoint_id);
      if (only?.enabled === false) throw notEnabled();
      const { id, version, object, earlier } = shownOf(work, found, input, qr);
      const body = work.sample({
        type,
        objectType: resourceOf(type),
        objectId: id,
        version,
        object: JSON.stringify(object),
        previous: earlier && previousAttributes(earlier, object),
        ...(only && { onlyTo: only.id }),
      });
      const event = JSON.parse(body);
      const eventId = uuidOf('event', event.id);
      if (signedBy !== undefined && eventId !== null)
        work.create(signedAlone, { event_id: eventId, secret_id: signedBy });
      return { value: event };
    },
  });
