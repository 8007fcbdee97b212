import {
  Box,
  Button,
  Group,
  NumberInput,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { type FormEvent, useState } from 'react';
import { call, type InputOf, type ReplyOf } from '../../staff/api/call.ts';
import { useRead } from '../../staff/api/queries.ts';
import { useRevoke } from '../../staff/api/revoke.ts';
import { useProven } from '../../staff/api/step_up.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable, RowButton } from '../../staff/parts/plain_table.tsx';
import { ShownOnce } from '../../staff/parts/secret_rotation.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { Sure } from '../../staff/parts/sure.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { RolesField } from '../../staff/people/roles_field.tsx';
import { members } from '../../staff/people/scope.ts';

const list = 'GET /portal/api/api-keys';
type NewKey = InputOf<'POST /portal/api/api-keys'>;

/** Keys with which programs use the portal's JSON. */
export function ApiKeys() {
  const { data, error, refetch } = useRead(list, { limit: 100 });
  return (
    <>
      <PageTitle
        title="API keys"
        text="For scripts that read this portal or change settings. Payments take client credentials."
      />
      <Stack gap="xl">
        <Make />
        <section aria-labelledby="keys">
          <Title order={2} size="h4" id="keys" mb="xs">
            Keys
          </Title>
          {error && <Trouble error={error} onRetry={() => void refetch()} />}
          {data?.data.length === 0 && (
            <Text size="sm" c="dimmed">
              No keys yet.
            </Text>
          )}
          {data && data.data.length > 0 && <Keys rows={data.data} />}
        </section>
      </Stack>
    </>
  );
}

const dayMs = 86_400_000;

function Make() {
  const queries = useQueryClient();
  const proven = useProven();
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<string[]>(['reader']);
  const [days, setDays] = useState<number | string>(90);
  const make = useMutation({
    mutationFn: async (given: { readonly name: string; readonly roles: readonly string[] }) => {
      // Of the service: the clock of this device may be wrong.
      const { real_now } = await call('GET /portal/api/clock', {});
      const endMs = Date.parse(real_now) + Number(days) * dayMs - 60_000;
      const asked = { ...given, expires_at: new Date(endMs).toISOString() } as NewKey;
      return proven(() => call('POST /portal/api/api-keys', asked));
    },
    onSuccess: () => {
      setName('');
      return queries.invalidateQueries({ queryKey: [list] });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    make.mutate({ name, roles });
  };
  return (
    <section aria-labelledby="make">
      <Title order={2} size="h4" id="make" mb="xs">
        Make a key
      </Title>
      <form onSubmit={send}>
        <Group align="flex-end">
          <TextInput
            label="What it is for"
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NumberInput label="Days" min={1} max={365} value={days} onChange={setDays} />
          <Button type="submit" loading={make.isPending} disabled={roles.length === 0}>
            Make the key
          </Button>
        </Group>
        <Box mt="sm" maw={640}>
          <RolesField label="Roles" roles={members} value={roles} onChange={setRoles} />
        </Box>
      </form>
      {make.error && <Trouble error={make.error} />}
      {make.data && <ShownOnce value={make.data.key} />}
    </section>
  );
}

type Key = ReplyOf<typeof list>['data'][number];

function Keys({ rows }: { readonly rows: readonly Key[] }) {
  const revoke = useRevoke('DELETE /portal/api/api-keys/:id', list);
  const [ending, setEnding] = useState<Key | null>(null);
  return (
    <>
      <Sure
        title="Revoke this key?"
        isOpen={ending !== null}
        text={`${ending?.name ?? ''}: programs that still use it are refused from then on.`}
        verb="Revoke the key"
        error={revoke.error}
        isBusy={revoke.isPending}
        onSure={() => ending && revoke.mutate(ending.id, { onSuccess: () => setEnding(null) })}
        onClose={() => setEnding(null)}
      />
      <PlainTable
        label="API keys"
        columns={['Name', 'Roles', 'State', 'Ends', 'Last used']}
        hasActions
      >
        {rows.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td>{key.name}</Table.Td>
            <Table.Td>{capitalized(key.roles.join(', '))}</Table.Td>
            <Table.Td>
              <StateBadge state={key.status} resource="api_key" />
            </Table.Td>
            <Table.Td>
              <When at={key.expires_at} isReal />
            </Table.Td>
            <Table.Td>
              <When at={key.last_used_at} isReal />
            </Table.Td>
            <Table.Td ta="right">
              {key.status === 'active' && (
                <RowButton
                  text="Revoke"
                  isGrave
                  label={`Revoke ${key.name}`}
                  isBusy={false}
                  onClick={() => setEnding(key)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </>
  );
}
