import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { useState } from 'react';
import { isolated } from '../../ui/isolated.ts';
import type { ReplyOf } from '../api/call.ts';
import { useCall, useRead } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { useProven } from '../api/step_up.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PlainTable, RowButton } from '../parts/plain_table.tsx';
import { Section } from '../parts/section.tsx';
import { Mark } from '../parts/state_badge.tsx';
import { counted } from '../parts/tell.ts';
import { Trouble } from '../parts/trouble.tsx';
import { When } from '../parts/when.tsx';
import { RolesField } from './roles_field.tsx';
import type { PeopleAct, PeopleScope } from './scope.ts';

type Member = ReplyOf<PeopleScope['people']>['data'][number];

interface PeopleProps {
  readonly scope: PeopleScope;
}

/** The people of a scope, with their roles and sessions. */
export function People({ scope }: PeopleProps) {
  const { person } = useSession();
  const { data, error, refetch } = useRead(scope.people, {});
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const call = useCall();
  const proven = useProven();
  const end = useMutation({
    mutationFn: (id: string) => proven(() => call(scope.end, { id })),
  });
  return (
    <Section title={scope.title} text={scope.text}>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {scope.nobody}
        </Text>
      )}
      {end.error && <Trouble error={end.error} />}
      {end.data && (
        <Text size="sm" role="status">
          {`Ended ${counted(end.data.ended, 'session')}.`}
        </Text>
      )}
      <PlainTable
        label={scope.label}
        columns={['Person', 'Roles', 'Passkeys', 'Last sign-in']}
        hasActions
      >
        {data?.data.map((member) => (
          <Table.Tr key={member.id}>
            <Table.Td>
              {member.name} {member.disabled && <Mark tone="bad" text="disabled" />}
              {member.id === person?.id && <Mark tone="plain" text="you" />}
              <Text size="xs" c="dimmed">
                {member.email}
              </Text>
            </Table.Td>
            <Table.Td>{capitalized(member.roles.join(', '))}</Table.Td>
            <Table.Td>{member.passkeys}</Table.Td>
            <Table.Td>
              <When at={member.last_signed_in_at} isReal />
            </Table.Td>
            <Table.Td>
              {member.id !== person?.id && (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <RowButton
                    text="Change roles"
                    label={`Change the roles of ${member.email}`}
                    isBusy={false}
                    onClick={() => setChanging(member)}
                  />
                  <RowButton
                    text="End sessions"
                    label={`End the sessions of ${member.email}`}
                    isBusy={end.isPending && end.variables === member.id}
                    onClick={() => end.mutate(member.id)}
                  />
                  <RowButton
                    text="Remove"
                    isGrave
                    label={`Remove ${member.email}`}
                    isBusy={false}
                    onClick={() => setRemoving(member)}
                  />
                </Group>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      <Dialog title="Change roles" isOpen={changing !== null} onClose={() => setChanging(null)}>
        {changing && (
          <ChangeRoles scope={scope} member={changing} onDone={() => setChanging(null)} />
        )}
      </Dialog>
      <Dialog
        title={`Remove ${scope.one}`}
        isOpen={removing !== null}
        onClose={() => setRemoving(null)}
      >
        {removing && (
          <RemovePerson scope={scope} member={removing} onDone={() => setRemoving(null)} />
        )}
      </Dialog>
    </Section>
  );
}

interface DialogProps extends PeopleProps {
  readonly member: Member;
  readonly onDone: () => void;
}

/** Runs a change of the people, with a fresh passkey where it is asked. */
function useChange({ scope, onDone }: DialogProps, work: (act: PeopleAct) => Promise<unknown>) {
  const queries = useQueryClient();
  const proven = useProven();
  return useMutation({
    mutationFn: (act: PeopleAct) => proven(() => work(act)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [scope.people] });
      onDone();
    },
  });
}

function ChangeRoles(props: DialogProps) {
  const { scope, member, onDone } = props;
  const { id, name, email, roles: held } = member;
  const [roles, setRoles] = useState<string[]>(held);
  const call = useCall();
  const change = useChange(props, ({ roles: next }) =>
    call(scope.change, { id, roles: next } as never),
  );
  const act = { resource: 'staff', id, move: 'change', roles } as PeopleAct;
  return (
    <Stack>
      <RolesField
        label={`Roles of ${isolated(name)} (${email})`}
        roles={scope.roles}
        value={roles}
        onChange={setRoles}
      />
      {change.error && <scope.NotDone error={change.error} act={change.variables} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          disabled={roles.length === 0}
          loading={change.isPending}
          onClick={() => change.mutate(act)}
        >
          Save roles
        </Button>
      </Group>
    </Stack>
  );
}

function RemovePerson(props: DialogProps) {
  const { scope, member, onDone } = props;
  const { id, name, email } = member;
  const call = useCall();
  const remove = useChange(props, () => call(scope.remove, { id }));
  return (
    <Stack>
      <Text size="sm">
        {`${isolated(name)} (${email}) loses all roles ${scope.place}, and is signed out of it at once. What was done stays in the audit.`}
      </Text>
      {remove.error && <scope.NotDone error={remove.error} act={remove.variables} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate({ resource: 'staff', id, move: 'remove' })}
        >
          Remove
        </Button>
      </Group>
    </Stack>
  );
}
