import { Alert, Button, Checkbox, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../staff/api/call.ts';
import type { Values } from '../../staff/parts/filter_fields.ts';
import { counted } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { countsRoute, useDeliveryCounts } from './delivery_counts.ts';

/** A time before all events: the service goes back at most 30 days (rules/webhooks#32). */
const longAgo = '2000-01-01T00:00:00Z';

interface Sent {
  readonly events: number;
  readonly has_more: boolean;
}

/** Sends again what the filters show and has not arrived. */
async function sendAll(
  { from, to, delivery_status: status, ...only }: Values,
  kinds: readonly ('failed' | 'never_sent')[],
): Promise<Sent> {
  const isNarrow = status === 'failed' || status === 'retrying';
  const sent: Sent[] = [];
  for (const missed of kinds)
    sent.push(
      await call('POST /portal/api/events/recover', {
        ...(only as object),
        ...(missed === 'failed' && isNarrow ? { delivery_status: status } : {}),
        since: from ?? longAgo,
        ...(to === undefined ? {} : { until: to }),
        missed,
      }),
    );
  return {
    events: sent.reduce((sum, { events }) => sum + events, 0),
    has_more: sent.some((one) => one.has_more),
  };
}

/** Sends each again, also one that has arrived. */
async function sendChosen(ids: readonly string[], endpointId: string | undefined): Promise<Sent> {
  const at = endpointId === undefined ? {} : { endpoint_id: endpointId };
  for (const id of ids) await call('POST /portal/api/events/:id/resend', { id, ...at });
  return { events: ids.length, has_more: false };
}

/** How many of a list a press would send, by the state that its filter names. */
function waitingOf(
  counts: ReturnType<typeof useDeliveryCounts>['data'],
  status: string | undefined,
): { readonly failed: number; readonly never: number } {
  if (!counts) return { failed: 0, never: 0 };
  const { missed, failed } = counts;
  if (status === undefined) return { failed: missed.failed, never: missed.never_sent };
  if (status === 'failed') return { failed, never: 0 };
  if (status === 'retrying') return { failed: Math.max(0, missed.failed - failed), never: 0 };
  return { failed: 0, never: status === 'none' ? missed.never_sent : 0 };
}

interface ResendBarProps {
  /** The filters of the list. */
  readonly values: Values;
  readonly chosen: ReadonlySet<string>;
  readonly onNone: () => void;
}

/** The acts on a list of events as it is filtered, or on the rows that are chosen of it. */
export function ResendBar({ values, chosen, onNone }: ResendBarProps) {
  const queries = useQueryClient();
  const { data: counts } = useDeliveryCounts(values);
  const [hasNever, setNever] = useState(false);
  const status = values.delivery_status;
  const { failed, never } = waitingOf(counts, status);
  const isNeverAlone = status === 'none';
  const withNever = isNeverAlone || (hasNever && never > 0);
  const some = chosen.size > 0;
  const count = some ? chosen.size : failed + (withNever ? never : 0);
  const send = useMutation({
    mutationFn: () =>
      some
        ? sendChosen([...chosen], values.endpoint_id)
        : sendAll(values, [
            ...(isNeverAlone ? [] : ['failed' as const]),
            ...(withNever ? ['never_sent' as const] : []),
          ]),
    onSuccess: () => {
      onNone();
      setNever(false);
    },
    onSettled: () =>
      Promise.all(
        ['GET /portal/api/events', countsRoute].map((route) =>
          queries.invalidateQueries({ queryKey: [route] }),
        ),
      ),
  });
  return (
    <section aria-label="Resend">
      <Group gap="sm" mb="sm">
        <Button
          size="xs"
          disabled={count === 0}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {`Resend ${count === 1 ? 'this' : 'these'} ${count.toLocaleString('en-US')} now`}
        </Button>
        {some && (
          <Button size="xs" variant="default" onClick={onNone}>
            Choose none
          </Button>
        )}
        {!some && never > 0 && !isNeverAlone && (
          <Checkbox
            size="xs"
            checked={hasNever}
            label={`Also ${never.toLocaleString('en-US')} that ${never === 1 ? 'was' : 'were'} never sent`}
            onChange={({ currentTarget }) => setNever(currentTarget.checked)}
          />
        )}
      </Group>
      {send.error && <Trouble error={send.error} />}
      <div role="status">
        {send.data && (
          <Alert color="blue" p="xs" mb="sm">
            {`${counted(send.data.events, 'event')} ${send.data.events === 1 ? 'is' : 'are'} sent again${send.data.has_more ? '. There are more: press once more' : ''}.`}
          </Alert>
        )}
      </div>
    </section>
  );
}
