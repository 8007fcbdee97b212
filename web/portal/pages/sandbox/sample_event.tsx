import { Button, Group, Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type InputOf } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';

type Sample = InputOf<'POST /portal/api/sample-events'>;

/** An event of any type, without the record that it would be about. */
export function SampleEvent() {
  const maySend = holds(useSession(), ['developer', 'admin']);
  const lifecycles = useRead('GET /portal/api/lifecycles', {});
  const moves = lifecycles.data?.data.flatMap((table) => table.moves) ?? [];
  const types = [...new Set(moves.flatMap(({ event }) => (event === null ? [] : [event])))].sort();
  const [type, setType] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: (given: string) =>
      call('POST /portal/api/sample-events', { type: given } as Sample),
  });
  return (
    <Section
      title="Sample event"
      text="Signed, retried and listed like any other. It changes no record."
    >
      <Group align="flex-end">
        <Select
          label="Type"
          searchable
          value={type}
          data={types}
          onChange={setType}
          placeholder="payment.completed"
        />
        <Button
          disabled={!maySend || type === null}
          loading={send.isPending}
          onClick={() => type !== null && send.mutate(type)}
        >
          Send to the endpoint
        </Button>
      </Group>
      {send.error && <Trouble error={send.error} />}
      {send.data && (
        <Text size="sm" role="status">
          {`Queued ${send.data.type}; see Events for its attempts.`}
        </Text>
      )}
    </Section>
  );
}
