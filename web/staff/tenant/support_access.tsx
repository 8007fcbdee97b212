import { Button, Group, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SupportConsent } from '@tenant-payments/backoffice/contract/people/support.ts';
import { type FormEvent, useState } from 'react';
import type { InputOf } from '../api/call.ts';
import { useCall, useRead } from '../api/queries.ts';
import { holds, useSession } from '../api/session.tsx';
import { useProven } from '../api/step_up.tsx';
import { PlainTable, RowButton } from '../parts/plain_table.tsx';
import { Section } from '../parts/section.tsx';
import { StateBadge } from '../parts/state_badge.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { When } from '../parts/when.tsx';

const list = 'GET /portal/api/support-consents';
const give = 'POST /portal/api/support-consents';

/**
 * The consents of an owner, by which staff see the Tenant as a reader; the owner sees who was in.
 */
export function SupportAccess() {
  const { data, error, refetch } = useRead(list, {});
  const rows = data?.data;
  const isOpen = rows?.some(({ status }) => status === 'open');
  return (
    <Section
      title="Let support sign in"
      text="With your consent, staff of the platform see this tenant as a reader: personal data is masked, and nothing can be changed. Each visit lasts an hour at most. You can end the consent at any time."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {rows && !isOpen && <Give />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody was let in during the last 90 days.
        </Text>
      )}
      {rows && rows.length > 0 && <Consents rows={rows} />}
    </Section>
  );
}

function Give() {
  const queries = useQueryClient();
  const call = useCall();
  const proven = useProven();
  const [hours, setHours] = useState<number | string>(24);
  const [note, setNote] = useState('');
  const consent = useMutation({
    mutationFn: (given: InputOf<typeof give>) => proven(() => call(give, given)),
    onSuccess: () => queries.invalidateQueries({ queryKey: [list] }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    consent.mutate({ hours: Number(hours), note });
  };
  return (
    <>
      <form onSubmit={send}>
        <Group align="flex-end">
          <TextInput
            label="What for"
            description="Support reads it"
            required
            maxLength={500}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <NumberInput
            label="Hours"
            description="At most 72"
            required
            min={1}
            max={72}
            allowDecimal={false}
            clampBehavior="blur"
            value={hours}
            onChange={setHours}
          />
          <Button type="submit" loading={consent.isPending} disabled={note.trim() === ''}>
            Let support sign in
          </Button>
        </Group>
      </form>
      {consent.error && <Trouble error={consent.error} />}
    </>
  );
}

/** Every consent, and under it who came in. */
export function Consents({ rows }: { readonly rows: readonly SupportConsent[] }) {
  const mayEnd = holds(useSession(), ['owner']);
  const queries = useQueryClient();
  const call = useCall();
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /portal/api/support-consents/:id', { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [list] }),
  });
  return (
    <Stack gap="sm">
      {end.error && <Trouble error={end.error} />}
      <PlainTable
        label="Consents of the last 90 days"
        columns={['What for', 'State', 'Given', 'Until', 'Who was in']}
        {...(mayEnd && { hasActions: true as const })}
      >
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Td className="breaks">{row.note}</Table.Td>
            <Table.Td>
              <StateBadge state={row.status} resource="support_access" />
            </Table.Td>
            <Table.Td>
              <When at={row.created_at} /> <Text size="sm">{row.given_by ?? 'by a program'}</Text>
            </Table.Td>
            <Table.Td>
              <When at={row.ended_at ?? row.expires_at} />
            </Table.Td>
            <Table.Td miw={220}>
              <Visits visits={row.visits} />
            </Table.Td>
            {mayEnd && (
              <Table.Td ta="right">
                {row.status === 'open' && (
                  <RowButton
                    text="End now"
                    label={`End the consent: ${row.note}`}
                    isBusy={end.isPending && end.variables === row.id}
                    onClick={() => end.mutate(row.id)}
                  />
                )}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </PlainTable>
    </Stack>
  );
}

const Visits = ({ visits }: Pick<SupportConsent, 'visits'>) =>
  visits.length === 0 ? (
    <Text size="sm" c="dimmed">
      No visits
    </Text>
  ) : (
    visits.map(({ id, person, entered_at, until, left_at }) => (
      <Text key={id} size="sm">
        {person}, <When at={entered_at} />
        {left_at === null ? (
          <>
            {', is in until '}
            <When at={until} isDate /> at the latest
          </>
        ) : (
          <>
            {' to '}
            <When at={left_at} />
          </>
        )}
      </Text>
    ))
  );
