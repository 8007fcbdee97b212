import { Button, Code, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  PossibleMove,
  SimulatedMove,
} from '@tenant-payments/backoffice/contract/records/simulations.ts';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Effect } from '../../../staff/parts/effect.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';

/** An event with a fixed failure code is another move than the event alone. */
const nameOf = ({ event, failure_codes }: PossibleMove) =>
  failure_codes.length === 1 ? `${event} (${failure_codes[0]})` : event;

/** Why it cannot be played now. */
function reasonOf({ obstacle }: PossibleMove): string {
  const { allowed = [], message = '' } = obstacle ?? {};
  return allowed.length > 0 ? `possible from ${allowed.join(', ').replaceAll('_', ' ')}` : message;
}

interface Wanted {
  readonly event: string;
  readonly failure_code: string | null;
}

/** Plays each move that the sandbox allows the record now, and shows what came of it. */
export function Simulate({ id }: { readonly id: string }) {
  const moves = useRead('GET /portal/api/records/:id/moves', { id });
  const queries = useQueryClient();
  const play = useMutation({
    mutationFn: (wanted: Wanted) =>
      call('POST /portal/api/simulate/:event', { object_id: id, ...wanted }),
    onSettled: () => queries.invalidateQueries(),
  });
  const { data, error, refetch } = moves;
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const possible = data?.data.filter(({ obstacle }) => obstacle === null) ?? [];
  const refused = data?.data.filter(({ obstacle }) => obstacle !== null) ?? [];
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-labelledby="simulate">
      <Title order={2} size="h4" id="simulate">
        Simulate
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        In this sandbox you act for the customer, the bank, a provider or a reviewer. Each move has
        just been tried on this record, without effect.
      </Text>
      {play.error && <Trouble error={play.error} />}
      {play.data && <Done done={play.data} />}
      {possible.length === 0 && <Text size="sm">Nothing can be simulated from this state.</Text>}
      <Stack component="ul" className="plays" gap={0}>
        {possible.map((move) => (
          <Play
            key={nameOf(move)}
            id={id}
            move={move}
            isBusy={play.isPending}
            onPlay={(failure_code) => play.mutate({ event: move.event, failure_code })}
          />
        ))}
      </Stack>
      {refused.length > 0 && (
        <details className="refused">
          <summary>Not possible now ({refused.length})</summary>
          <ul>
            {refused.map((move) => (
              <li key={nameOf(move)}>
                <Code>{nameOf(move)}</Code> {reasonOf(move)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface PlayProps {
  readonly id: string;
  readonly move: PossibleMove;
  readonly isBusy: boolean;
  readonly onPlay: (failureCode: string | null) => void;
}

function Play({ id, move, isBusy, onPlay }: PlayProps) {
  const { event, by, failure_codes, effect } = move;
  const [code, setCode] = useState(failure_codes[0] ?? null);
  return (
    <li>
      <Group gap="xs" align="center">
        <Button
          variant="default"
          size="compact-md"
          ff="monospace"
          className="wraps"
          disabled={isBusy}
          onClick={() => onPlay(code)}
        >
          {nameOf(move)}
        </Button>
        {failure_codes.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={`Failure code of ${event}`}
            value={code ?? ''}
            data={failure_codes}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <Text size="sm" c="dimmed">
          by {by.join(' or ')}
        </Text>
      </Group>
      {effect && <Effect id={id} effect={effect} />}
    </li>
  );
}

/** The result of a move. It takes the focus, since the move's button may be gone. */
function Done({ done: { event, request_id } }: { readonly done: SimulatedMove }) {
  const alert = useRef<HTMLDivElement>(null);
  const made = useRead('GET /portal/api/events', { request_id: request_id ?? '', limit: 20 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move takes the focus anew
  useEffect(() => alert.current?.focus(), [request_id]);
  return (
    <div ref={alert} role="status" tabIndex={-1} className="done">
      <Text fw={600} size="sm">
        Done: {event}
      </Text>
      {made.data?.data.length === 0 && <Text size="sm">It made no event.</Text>}
      <Stack gap={4}>
        {made.data?.data.map(({ id, type }) => (
          <Text key={id} size="sm" component="div">
            <Code>{type}</Code> <RecordLink id={id} />
          </Text>
        ))}
      </Stack>
    </div>
  );
}
