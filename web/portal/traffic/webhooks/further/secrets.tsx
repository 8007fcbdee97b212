import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../staff/api/call.ts';
import { useRead } from '../../../../staff/api/queries.ts';
import { holds, useSession } from '../../../../staff/api/session.tsx';
import { useProven } from '../../../../staff/api/step_up.tsx';
import { PlainTable, RowButton } from '../../../../staff/parts/plain_table.tsx';
import { Retire } from '../../../../staff/parts/retire.tsx';
import { ShownOnce } from '../../../../staff/parts/secret_rotation.tsx';
import { ShortId } from '../../../../staff/parts/short_id.tsx';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import { When } from '../../../../staff/parts/when.tsx';
import { Section } from '../../detail/section.tsx';

const route = 'GET /portal/api/webhook-secrets';
const mostActive = 3;

/** The active secrets of one endpoint; they are rotated as those of the first one. */
export function FurtherSecrets({ endpointId }: { readonly endpointId: string }) {
  const { data, error, refetch } = useRead(route, { endpoint_id: endpointId });
  const queries = useQueryClient();
  const proven = useProven();
  const mayChange = holds(useSession(), ['developer']);
  const [ending, setEnding] = useState<string | null>(null);
  const again = () => queries.invalidateQueries({ queryKey: [route] });
  const making = useMutation({
    mutationFn: () =>
      proven(() => call('POST /portal/api/webhook-secrets', { endpoint_id: endpointId })),
    onSuccess: again,
  });
  const retiring = useMutation({
    mutationFn: (id: string) =>
      proven(() => call('DELETE /portal/api/webhook-secrets/:id', { id })),
    onSuccess: () => {
      setEnding(null);
      return again();
    },
  });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const active = (data?.data ?? []).filter(({ retired_at }) => retired_at === null);
  return (
    <Section title="Secrets">
      <Text size="sm" c="dimmed">
        To rotate: make another, deploy both, retire the old one.
      </Text>
      <PlainTable label="Active secrets of the endpoint" columns={['Secret', 'Created']} hasActions>
        {active.map(({ id, created_at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <ShortId id={id} />
            </Table.Td>
            <Table.Td>
              <When at={created_at} />
            </Table.Td>
            <Table.Td ta="right">
              <RowButton
                text="Retire"
                isGrave
                label={`Retire ${id}`}
                isOff={!mayChange || active.length === 1}
                isBusy={retiring.isPending && retiring.variables === id}
                onClick={() => setEnding(id)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={!mayChange || active.length >= mostActive}
          loading={making.isPending}
          onClick={() => making.mutate()}
        >
          Make another secret
        </Button>
      </Group>
      {making.error && <Trouble error={making.error} />}
      <Retire
        id={ending}
        text="receivers that know it alone refuse every further event."
        error={retiring.error}
        isBusy={retiring.isPending}
        onRetire={(id) => retiring.mutate(id)}
        onClose={() => setEnding(null)}
      />
      {making.data && <ShownOnce value={making.data.secret} />}
    </Section>
  );
}
