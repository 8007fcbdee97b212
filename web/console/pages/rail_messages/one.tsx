import { Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  RailMessage,
  RailMessageDetail,
} from '@tenant-payments/backoffice/contract/money/rail_messages.ts';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Facts } from '../../../staff/parts/facts.tsx';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { inWords } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { isolated } from '../../../ui/isolated.ts';
import { RecordOf } from '../../tenants/links.tsx';

type Path = { readonly tenant_id: string; readonly id: string };

const pathOf = ({ tenant_id, id }: RailMessage): Path => ({
  tenant_id: tenant_id ?? 'platform',
  id,
});

/** One message: what it said, what came of it, and what is done with it. */
export function OneRailMessage({ message }: { readonly message: RailMessage }) {
  const path = pathOf(message);
  const route = 'GET /portal/api/rail-messages/:tenant_id/:id';
  const { data, error, refetch } = useRead(route, path);
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} role="status" aria-label="Loading the message" />;
  const isOpen = data.closed_at === null && ['parked', 'refused'].includes(data.state);
  return (
    <>
      <Facts rows={factsOf(data)} />
      {data.said === null ? (
        <Text size="sm">What it said was erased.</Text>
      ) : (
        <JsonView title="What it said" value={data.said} />
      )}
      {data.closed_at !== null && <Closed message={data} at={data.closed_at} />}
      {isOpen && <Acts path={path} />}
    </>
  );
}

const factsOf = (message: RailMessageDetail): [string, React.ReactNode][] => [
  ['Tenant', message.tenant_name ?? message.tenant_id ?? 'Not known'],
  ['About', inWords(message.port)],
  [
    'Names',
    message.record === null ? (
      'Nothing of ours'
    ) : (
      <RecordOf key="record" tenantId={message.tenant_id} id={message.record} />
    ),
  ],
  ['State', <StateBadge key="state" state={message.state} />],
  ['Result', message.result === null ? 'Not processed' : inWords(message.result)],
  ['Came', <When key="came" at={message.received_at} />],
  ['Acted on', message.acted_at === null ? 'No' : <When key="acted" at={message.acted_at} />],
  ['Replayed', message.replays],
];

const Closed = ({ message, at }: { readonly message: RailMessageDetail; readonly at: string }) => (
  <Section title="Closed">
    <Text size="sm">
      {`${isolated(message.closed_by ?? '')}, `}
      <When at={at} />
    </Text>
    <Text size="sm" className="wrapped">
      {message.close_reason}
    </Text>
  </Section>
);

function Acts({ path }: { readonly path: Path }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const onSuccess = () => queries.invalidateQueries();
  const replay = useMutation({
    mutationFn: () => call('POST /portal/api/rail-messages/:tenant_id/:id/replay', path),
    onSuccess,
  });
  const close = useMutation({
    mutationFn: () =>
      call('POST /portal/api/rail-messages/:tenant_id/:id/close', {
        ...path,
        reason: reason.trim(),
      }),
    onSuccess,
  });
  return (
    <>
      <Section title="Replay">
        <Text size="sm">
          Reports it to its record once more: useful when what it names is there by now.
        </Text>
        {replay.error && <Trouble error={replay.error} />}
        <Group>
          <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        </Group>
      </Section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close.mutate();
        }}
      >
        <Stack gap="xs">
          <Textarea
            label="What was found out, and done"
            autosize={false}
            rows={3}
            maxLength={2_000}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {close.error && <Trouble error={close.error} />}
          <Group>
            <Button type="submit" disabled={reason.trim() === ''} loading={close.isPending}>
              Close
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
