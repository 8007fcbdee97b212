import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../staff/api/call.ts';
import { type ItemOf, useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { AttemptRow } from './attempt_view.tsx';
import { LedgerLines } from './ledger_lines.tsx';
import { ToRequest } from './links.tsx';
import { Section } from './section.tsx';

export type PortalEvent = ItemOf<'GET /portal/api/events'>;

/** `none` is a word of the interface, not of people. */
export const DeliveryState = ({ status }: { readonly status: string }) => (
  <StateBadge state={status === 'none' ? 'not sent' : status} />
);

interface EventDetailProps {
  readonly event: PortalEvent;
  /** Below its attempts at the first endpoint. */
  readonly children?: ReactNode;
}

/** One event: what caused it, what it caused, and what became of its delivery. */
export function EventDetail({ event, children }: EventDetailProps) {
  const { id, request_id, sample, delivery, further_deliveries: further, ...body } = event;
  const recordId = typeof body.data.object.id === 'string' ? body.data.object.id : null;
  return (
    <>
      <Facts
        rows={[
          ['Event id', <Code key="id">{id}</Code>],
          ['Created', <When key="made" at={event.created_at} isExact />],
          [
            'Caused by',
            request_id === null ? (
              'Not caused by a call'
            ) : (
              <ToRequest key="request" id={request_id} />
            ),
          ],
          ...(recordId === null || sample
            ? []
            : [['Record', <RecordLink key="record" id={recordId} />] as const]),
          [
            further.length === 0 ? 'Delivery' : 'Delivery to the first endpoint',
            <DeliveryState key="state" status={delivery.status} />,
          ],
          ['Next attempt', <Next key="next" delivery={delivery} />],
          ...(sample ? [['Sample', 'Nothing happened to the record'] as const] : []),
        ]}
      />
      <Resend id={id} />
      <Attempts id={id} />
      {children}
      {recordId !== null && !sample && (
        <LedgerLines moments={[{ recordId, at: event.created_at }]} />
      )}
      <JsonView title="Event" value={{ id, ...body }} />
    </>
  );
}

function Next({ delivery }: Pick<PortalEvent, 'delivery'>) {
  if (delivery.next_attempt_at !== null) return <When at={delivery.next_attempt_at} />;
  if (delivery.status === 'pending') return <>in a moment</>;
  return <>Not planned</>;
}

interface OfEvent {
  readonly id: string;
  /** A further endpoint; absent: the first one. */
  readonly endpointId?: string;
}

const inputOf = ({ id, endpointId }: OfEvent) =>
  endpointId === undefined ? { id } : { id, endpoint_id: endpointId };

/** Sends it again at once. The receiver gets the same id and the same bytes. */
export function Resend(of: OfEvent) {
  const queries = useQueryClient();
  const mayResend = holds(useSession(), ['developer', 'admin']);
  const resend = useMutation({
    mutationFn: () => call('POST /portal/api/events/:id/resend', inputOf(of)),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['GET /portal/api/events'] }),
        queries.invalidateQueries({ queryKey: [attemptsRoute] }),
      ]),
  });
  return (
    <Stack gap="xs">
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={!mayResend}
          loading={resend.isPending}
          onClick={() => resend.mutate()}
        >
          Resend
        </Button>
        <Text size="xs" c="dimmed">
          The same id and the same bytes, freshly signed.
        </Text>
      </Group>
      {resend.error && <Trouble error={resend.error} />}
      {resend.isSuccess && (
        <Alert color="blue" role="status" p="xs">
          It is sent again. Its attempt appears below.
        </Alert>
      )}
    </Stack>
  );
}

const attemptsRoute = 'GET /portal/api/events/:id/attempts';

/** The attempts of an event, the newest first. @param at the name of a further endpoint */
export function Attempts({ at, ...of }: OfEvent & { readonly at?: string }) {
  const { data, error, refetch } = useRead(attemptsRoute, inputOf(of));
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const attempts = data?.data ?? [];
  const where = at === undefined ? '' : ` at ${at}`;
  return (
    <Section title={`${attempts.length === 0 ? 'No attempts yet' : 'Attempts'}${where}`}>
      {attempts.toReversed().map((attempt) => (
        <AttemptRow key={attempt.number} attempt={attempt} />
      ))}
    </Section>
  );
}
