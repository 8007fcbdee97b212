import { Alert, Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { useId, useState } from 'react';
import type { Route } from '../api/call.ts';
import { useCall, useRead } from '../api/queries.ts';
import { holds, useSession } from '../api/session.tsx';
import { useProven } from '../api/step_up.tsx';
import { useKeptOpen } from './dialog.tsx';
import { CopyText } from './json_view.tsx';
import { PlainTable, RowButton } from './plain_table.tsx';
import { Retire } from './retire.tsx';
import { ShortId } from './short_id.tsx';
import { Trouble } from './trouble.tsx';
import { When } from './when.tsx';

interface Secret {
  readonly id: string;
  readonly created_at: string;
  readonly retired_at: string | null;
  /** The time of its last use; absent: the service does not note it. */
  readonly last_used_at?: string | null;
}

interface RotationProps {
  readonly title: string;
  /** The advice how secrets are rotated without a gap. */
  readonly text: string;
  readonly list: 'GET /portal/api/webhook-secrets' | 'GET /portal/api/credentials';
  readonly create: 'POST /portal/api/webhook-secrets' | 'POST /portal/api/credentials';
  readonly retire: 'DELETE /portal/api/webhook-secrets/:id' | 'DELETE /portal/api/credentials/:id';
  /** How many may be active at once. */
  readonly most: number;
  /** Whoever makes and retires them. */
  readonly may?: readonly Role[];
}

const developer = ['developer'] as const;

/** The value in the one reply that holds it. */
const secretIn = (made: object): string =>
  String('secret' in made ? made.secret : 'client_secret' in made ? made.client_secret : '');

/** Secrets of one kind: another is made, shown once, and the old one retired. */
export function SecretRotation({
  title,
  text,
  list,
  create,
  retire,
  most,
  may = developer,
}: RotationProps) {
  const id = useId();
  const queries = useQueryClient();
  const proven = useProven();
  const call = useCall();
  const mayChange = holds(useSession(), may);
  const [ending, setEnding] = useState<string | null>(null);
  const { data, error, refetch } = useRead(list, {});
  const again = () => queries.invalidateQueries({ queryKey: [list] });
  const run = (route: Route, input: object) =>
    // The type of the route does not say whose reply it is.
    proven(() =>
      (call as unknown as (route: Route, input: object) => Promise<object>)(route, input),
    );
  const making = useMutation({ mutationFn: () => run(create, {}), onSuccess: again });
  const retiring = useMutation({
    mutationFn: (one: string) => run(retire, { id: one }),
    onSuccess: () => {
      setEnding(null);
      return again();
    },
  });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const secrets: readonly Secret[] = data?.data ?? [];
  const active = secrets.filter(({ retired_at }) => retired_at === null);
  const isNoted = active.some(({ last_used_at }) => last_used_at !== undefined);
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      <Stack gap="sm" maw={640}>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <PlainTable
          label={`Active: ${title.toLowerCase()}`}
          columns={isNoted ? ['Secret', 'Created', 'Last used'] : ['Secret', 'Created']}
          hasActions
        >
          {active.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td>
                <ShortId id={one.id} />
              </Table.Td>
              <Table.Td>
                <When at={one.created_at} />
              </Table.Td>
              {one.last_used_at !== undefined && (
                <Table.Td>
                  <When at={one.last_used_at} />
                </Table.Td>
              )}
              <Table.Td ta="right">
                <RowButton
                  text="Retire"
                  isGrave
                  label={`Retire ${one.id}`}
                  isBusy={retiring.isPending && retiring.variables === one.id}
                  isOff={!mayChange || active.length < 2}
                  onClick={() => setEnding(one.id)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
        {making.error && <Trouble error={making.error} />}
        {making.data && <ShownOnce value={secretIn(making.data)} />}
        <Retire
          id={ending}
          text="servers that still use it get no further token."
          error={retiring.error}
          isBusy={retiring.isPending}
          onRetire={(one) => retiring.mutate(one)}
          onClose={() => setEnding(null)}
        />
        <Group>
          <Button
            variant="default"
            disabled={!mayChange || active.length >= most}
            loading={making.isPending}
            onClick={() => making.mutate()}
          >
            Make another secret
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

/** A secret in the only moment in which it can be read. */
export function ShownOnce({ name, value }: { readonly name?: string; readonly value: string }) {
  useKeptOpen();
  return (
    <Alert
      color="blue"
      title={`${name ? `${name}. ` : ''}Save this now: it is shown only once`}
      role="status"
    >
      <Group gap="xs">
        <Code className="breaks">{value}</Code>
        <CopyText label={name ? `Copy ${name.toLowerCase()}` : 'Copy'} text={value} />
      </Group>
    </Alert>
  );
}
