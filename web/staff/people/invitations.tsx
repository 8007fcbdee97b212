import { Box, Button, Code, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type FormEvent, useState } from 'react';
import type { ReplyOf } from '../api/call.ts';
import { useCall, useRead } from '../api/queries.ts';
import { useRevoke } from '../api/revoke.ts';
import { useProven } from '../api/step_up.tsx';
import { PlainTable, RowButton } from '../parts/plain_table.tsx';
import { ShownOnce } from '../parts/secret_rotation.tsx';
import { StateBadge } from '../parts/state_badge.tsx';
import { Sure } from '../parts/sure.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { When } from '../parts/when.tsx';
import { RolesField } from './roles_field.tsx';
import type { PeopleAct, PeopleScope } from './scope.ts';

interface InvitationsProps {
  readonly scope: PeopleScope;
  /** The role that the form begins with. */
  readonly offered: Role;
}

/** The invitations of a scope, and a form for another. */
export function Invitations({ scope, offered }: InvitationsProps) {
  const { data, error, refetch } = useRead(scope.invitations, {});
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations" mb="xs">
        Invitations
      </Title>
      <Stack gap="sm">
        <Invite scope={scope} offered={offered} />
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            Nobody was invited in the last 30 days.
          </Text>
        )}
        {data && data.data.length > 0 && <Invited scope={scope} rows={data.data} />}
      </Stack>
    </section>
  );
}

function Invite({ scope, offered }: InvitationsProps) {
  const queries = useQueryClient();
  const call = useCall();
  const proven = useProven();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<string[]>([offered]);
  const invite = useMutation({
    mutationFn: ({ email: to, roles: given }: PeopleAct) =>
      proven(() => call(scope.invite, { email: to, roles: given } as never)),
    onSuccess: () => {
      setEmail('');
      return queries.invalidateQueries({ queryKey: [scope.invitations] });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ resource: 'staff', id: 'new', move: 'invite', email, roles } as PeopleAct);
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
          <Button type="submit" loading={invite.isPending} disabled={roles.length === 0}>
            Invite
          </Button>
        </Group>
        <Box mt="sm" maw={640}>
          <RolesField label="Roles" roles={scope.roles} value={roles} onChange={setRoles} />
        </Box>
      </form>
      {invite.error && <scope.NotDone error={invite.error} act={invite.variables} />}
      {invite.data && <Made email={invite.data.email} link={invite.data.link} />}
    </>
  );
}

interface MadeProps {
  readonly email: string;
  readonly link: string | null;
}

/** An invitation that was made. Where messages are sent, nobody but the one who is invited sees the link. */
export function Made({ email, link }: MadeProps) {
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

interface InvitedProps extends Pick<InvitationsProps, 'scope'> {
  readonly rows: ReplyOf<PeopleScope['invitations']>['data'];
}

function Invited({ scope, rows }: InvitedProps) {
  const revoke = useRevoke(scope.revoke, scope.invitations);
  const [ending, setEnding] = useState<{ readonly id: string; readonly email: string } | null>(
    null,
  );
  return (
    <>
      <Sure
        title="Revoke this invitation?"
        isOpen={ending !== null}
        text={`The link that ${ending?.email ?? ''} was sent stops to work.`}
        verb="Revoke the invitation"
        error={revoke.error}
        isBusy={revoke.isPending}
        onSure={() => ending && revoke.mutate(ending.id, { onSuccess: () => setEnding(null) })}
        onClose={() => setEnding(null)}
      />
      <PlainTable
        label="Invitations of the last 30 days"
        columns={['Email', 'Roles', 'State', 'Created']}
        hasActions
      >
        {rows.map(({ id, email, roles, status, created_at }) => (
          <Table.Tr key={id}>
            <Table.Td>{email}</Table.Td>
            <Table.Td>{capitalized(roles.join(', '))}</Table.Td>
            <Table.Td>
              <StateBadge state={status} resource="invitation" />
            </Table.Td>
            <Table.Td>
              <When at={created_at} isReal />
            </Table.Td>
            <Table.Td ta="right">
              {status === 'open' && (
                <RowButton
                  text="Revoke"
                  isGrave
                  label={`Revoke the invitation of ${email}`}
                  isBusy={false}
                  onClick={() => setEnding({ id, email })}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </>
  );
}
