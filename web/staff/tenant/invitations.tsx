import {
  Button,
  Code,
  Group,
  MultiSelect,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MemberRole, memberRoles } from '@tenant-payments/contract/core/roles.ts';
import { type FormEvent, useState } from 'react';
import type { InputOf, ReplyOf } from '../api/call.ts';
import { useCall, useRead } from '../api/queries.ts';
import { useRevoke } from '../api/revoke.ts';
import { useProven } from '../api/step_up.tsx';
import { PlainTable, RowButton } from '../parts/plain_table.tsx';
import { ShownOnce } from '../parts/secret_rotation.tsx';
import { StateBadge } from '../parts/state_badge.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { When } from '../parts/when.tsx';

const list = 'GET /portal/api/invitations';

interface InvitationsProps {
  /** The roles that the form begins with. */
  readonly offered?: MemberRole;
}

/** Who was invited, and a form that invites. */
export function Invitations({ offered = 'reader' }: InvitationsProps) {
  const { data, error, refetch } = useRead(list, {});
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations" mb="xs">
        Invitations
      </Title>
      <Stack gap="sm">
        <Invite offered={offered} />
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {data?.data.length === 0 && <Text c="dimmed">Nobody was invited in the last 30 days.</Text>}
        {data && data.data.length > 0 && <Invited rows={data.data} />}
      </Stack>
    </section>
  );
}

function Invite({ offered }: Required<InvitationsProps>) {
  const queries = useQueryClient();
  const call = useCall();
  const proven = useProven();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<string[]>([offered]);
  const invite = useMutation({
    mutationFn: (given: InputOf<'POST /portal/api/invitations'>) =>
      proven(() => call('POST /portal/api/invitations', given)),
    onSuccess: () => {
      setEmail('');
      return queries.invalidateQueries({ queryKey: [list] });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email, roles } as InputOf<'POST /portal/api/invitations'>);
  };
  return (
    <>
      <form onSubmit={send}>
        <Group align="flex-end">
          <TextInput
            label="Email address"
            type="email"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <MultiSelect label="Roles" data={memberRoles} value={roles} onChange={setRoles} />
          <Button type="submit" loading={invite.isPending} disabled={roles.length === 0}>
            Invite
          </Button>
        </Group>
      </form>
      {invite.error && <Trouble error={invite.error} />}
      {invite.data && <Made email={invite.data.email} link={invite.data.link} />}
    </>
  );
}

/** Where messages are sent, nobody but the one who is invited sees the link. */
function Made({ email, link }: { readonly email: string; readonly link: string | null }) {
  if (link === null)
    return (
      <Text size="sm" role="status">
        An invitation was sent to <Code>{email}</Code>. Its link works once, for 24 hours.
      </Text>
    );
  return (
    <>
      <Text size="sm">
        Send this link to <Code>{email}</Code>. It works once, for 24 hours.
      </Text>
      <ShownOnce value={link} />
    </>
  );
}

function Invited({ rows }: { readonly rows: ReplyOf<typeof list>['data'] }) {
  const revoke = useRevoke('DELETE /portal/api/invitations/:id', list);
  return (
    <>
      {revoke.error && <Trouble error={revoke.error} />}
      <PlainTable
        label="Invitations of the last 30 days"
        columns={['Email', 'Roles', 'State', 'Made']}
        hasActions
      >
        {rows.map(({ id, email, roles, status, created_at }) => (
          <Table.Tr key={id}>
            <Table.Td>{email}</Table.Td>
            <Table.Td>{roles.join(', ')}</Table.Td>
            <Table.Td>
              <StateBadge state={status} />
            </Table.Td>
            <Table.Td>
              <When at={created_at} />
            </Table.Td>
            <Table.Td ta="right">
              {status === 'open' && (
                <RowButton
                  text="Revoke"
                  label={`Revoke the invitation of ${email}`}
                  isBusy={revoke.isPending && revoke.variables === id}
                  onClick={() => revoke.mutate(id)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </>
  );
}
