import { Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { memberRoles } from '@tenant-payments/contract/core/roles.ts';
import { useState } from 'react';
import type { InputOf, ReplyOf } from '../api/call.ts';
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

const list = 'GET /portal/api/members';
type Member = ReplyOf<typeof list>['data'][number];
type Roles = InputOf<'PUT /portal/api/members/:id'>['roles'];

/** Who works for the Tenant: their roles and sessions, which owners and admins manage (rules/people#12). */
export function Members() {
  const { person } = useSession();
  const { data, error, refetch } = useRead(list, {});
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const call = useCall();
  const proven = useProven();
  const end = useMutation({
    mutationFn: (id: string) =>
      proven(() => call('DELETE /portal/api/members/:id/sessions', { id })),
  });
  return (
    <Section
      title="Members"
      text="A change of roles ends the sessions of the member, who signs in again. Nobody changes their own roles, and the last owner stays."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && <Text c="dimmed">Nobody yet. Invite an owner.</Text>}
      {end.error && <Trouble error={end.error} />}
      {end.data && (
        <Text size="sm" role="status">
          {`Ended ${counted(end.data.ended, 'session')}.`}
        </Text>
      )}
      <PlainTable
        label="Members of the tenant"
        columns={['Email', 'Roles', 'Passkeys', 'Last sign-in']}
        hasActions
      >
        {data?.data.map((member) => (
          <Table.Tr key={member.id}>
            <Table.Td>
              {member.email} {member.disabled && <Mark tone="bad" text="disabled" />}
              {member.id === person?.id && <Mark tone="plain" text="you" />}
            </Table.Td>
            <Table.Td>{member.roles.join(', ')}</Table.Td>
            <Table.Td>{member.passkeys}</Table.Td>
            <Table.Td>
              <When at={member.last_signed_in_at} />
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
        {changing && <ChangeRoles member={changing} onDone={() => setChanging(null)} />}
      </Dialog>
      <Dialog title="Remove a member" isOpen={removing !== null} onClose={() => setRemoving(null)}>
        {removing && <RemoveMember member={removing} onDone={() => setRemoving(null)} />}
      </Dialog>
    </Section>
  );
}

interface DialogProps {
  readonly member: Member;
  readonly onDone: () => void;
}

/** What a role is for, in a line (rules/people#1). */
const may: Readonly<Record<(typeof memberRoles)[number], string>> = {
  owner: 'Members and single sign-on, and all below',
  developer: 'Endpoint, secrets, addresses, requests and events, and the sandbox',
  finance: 'Ledger, reports, statements and transactions',
  reader: 'Lists and records, with personal data masked',
};

/** Runs a change of the members, with a fresh passkey where it is asked. */
function useChange<Input>(work: (input: Input) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient();
  const proven = useProven();
  return useMutation({
    mutationFn: (input: Input) => proven(() => work(input)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [list] });
      onDone();
    },
  });
}

function ChangeRoles({ member: { id, email, roles: held }, onDone }: DialogProps) {
  const [roles, setRoles] = useState<string[]>(held);
  const call = useCall();
  const change = useChange(
    (next: Roles) => call('PUT /portal/api/members/:id', { id, roles: next }),
    onDone,
  );
  return (
    <Stack>
      <Checkbox.Group label={`Roles of ${email}`} value={roles} onChange={setRoles}>
        <Stack gap="xs" mt="xs">
          {memberRoles.map((role) => (
            <Checkbox key={role} value={role} label={role} description={may[role]} />
          ))}
        </Stack>
      </Checkbox.Group>
      {change.error && <Trouble error={change.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          disabled={roles.length === 0}
          loading={change.isPending}
          onClick={() => change.mutate(roles as Roles)}
        >
          Save roles
        </Button>
      </Group>
    </Stack>
  );
}

function RemoveMember({ member: { id, email }, onDone }: DialogProps) {
  const call = useCall();
  const remove = useChange(() => call('DELETE /portal/api/members/:id', { id }), onDone);
  return (
    <Stack>
      <Text size="sm">
        {`${email} loses all roles in this tenant, and is signed out of it at once. What was done stays in the audit.`}
      </Text>
      {remove.error && <Trouble error={remove.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
          Remove
        </Button>
      </Group>
    </Stack>
  );
}
