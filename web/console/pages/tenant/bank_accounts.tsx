import { Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  OwnBankFacts,
  OwnBankRole,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { useState } from 'react';
import type { InputOf } from '../../../staff/api/call.ts';
import { type ItemOf, useCall, useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { AskSecondPerson, wantsSecondPerson } from '../../approvals/second_person.tsx';

const list = 'GET /portal/api/own-bank-accounts';
type Row = ItemOf<typeof list>;

const words: Readonly<Record<OwnBankRole, { readonly title: string; readonly text: string }>> = {
  fbo: {
    title: "Customers' money",
    text: 'The account for the benefit of the customers (FBO). Their payments by bank arrive here and leave from here.',
  },
  operating: { title: 'Operating', text: "The tenant's own money. Its fees are moved here." },
  reserve: { title: 'Reserve', text: 'Covers what the tenant owes beyond its fees. Optional.' },
};

const shownFacts = ({ title, account_type, routing_number, last4 }: OwnBankFacts) =>
  `${title}, ${account_type} ending in ${last4}, routing number ${routing_number}`;

/** The Tenant's own accounts at its bank: one admin proposes, two put it in force. */
export function BankAccounts() {
  const { data, error, refetch } = useRead(list, {});
  if (!data)
    return error ? (
      <Trouble error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  return (
    <Stack gap="xl" maw={760}>
      {data.data.map((row) => (
        <BankAccount key={row.id} row={row} />
      ))}
    </Stack>
  );
}

/** Reads the accounts anew after an act. */
function useAgain() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [list] });
}

function BankAccount({ row }: { readonly row: Row }) {
  const { id: role, in_force, in_force_at, proposed, proposed_at } = row;
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayAct = holds(useSession(), ['admin']);
  const { title, text } = words[role];
  return (
    <Section title={title} text={text}>
      <Facts
        rows={[
          ['In force', in_force ? shownFacts(in_force) : 'Not set'],
          ...(in_force ? [['Since', <When key="since" at={in_force_at} />] as const] : []),
          ...(proposed
            ? [
                ['Proposed', shownFacts(proposed)] as const,
                ['Proposed at', <When key="proposed" at={proposed_at} />] as const,
              ]
            : []),
        ]}
      />
      {mayAct && proposed && <PutInForce key={proposed_at} role={role} />}
      {mayAct && (
        <Group>
          <Button variant="default" onClick={open}>
            {in_force || proposed ? 'Propose another account' : 'Propose an account'}
          </Button>
        </Group>
      )}
      <Dialog title={`${title}: propose an account`} isOpen={isOpen} onClose={close}>
        <Propose role={role} onClose={close} />
      </Dialog>
    </Section>
  );
}

function PutInForce({ role }: { readonly role: OwnBankRole }) {
  const [call, proven, again] = [useCall(), useProven(), useAgain()];
  const put = useMutation({
    mutationFn: () =>
      proven(() => call('POST /portal/api/own-bank-accounts/:id/put-in-force', { id: role })),
    onSuccess: again,
  });
  if (wantsSecondPerson(put.error))
    return (
      <AskSecondPerson
        act={{ resource: 'own-bank-accounts', id: role, move: 'put_in_force' }}
        why="Two admins put an account in force: orders to the bank name it from then on."
      />
    );
  return (
    <>
      {put.error && <Trouble error={put.error} />}
      <Group>
        <Button loading={put.isPending} onClick={() => put.mutate()}>
          Put the proposed account in force
        </Button>
      </Group>
    </>
  );
}

interface ProposeProps {
  readonly role: OwnBankRole;
  readonly onClose: () => void;
}

function Propose({ role, onClose }: ProposeProps) {
  const [call, proven, again] = [useCall(), useProven(), useAgain()];
  const [given, setGiven] = useState(nothing);
  const propose = useMutation({
    mutationFn: () =>
      proven(() => call('PUT /portal/api/own-bank-accounts/:id', { id: role, ...given })),
    onSuccess: async () => {
      await again();
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        propose.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          Nothing changes until it is put in force. The number is encrypted, and only its last four
          digits are shown again: compare it with the bank's paper now.
        </Text>
        <Fields given={given} set={setGiven} />
        {propose.error && <Trouble error={propose.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={propose.isPending}>
            Propose
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Given = Omit<InputOf<'PUT /portal/api/own-bank-accounts/:id'>, 'id'>;
const nothing: Given = {
  title: '',
  account_type: 'checking',
  routing_number: '',
  account_number: '',
};

interface FieldsProps {
  readonly given: Given;
  readonly set: (given: Given) => void;
}

function Fields({ given, set }: FieldsProps) {
  const digits = { required: true, inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <>
      <TextInput
        label="Title at the bank"
        required
        maxLength={100}
        data-autofocus
        value={given.title}
        onChange={({ currentTarget }) => set({ ...given, title: currentTarget.value })}
      />
      <NativeSelect
        label="Kind of account"
        data={[
          { value: 'checking', label: 'Checking' },
          { value: 'savings', label: 'Savings' },
        ]}
        value={given.account_type}
        onChange={({ currentTarget: { value } }) =>
          set({ ...given, account_type: value === 'savings' ? 'savings' : 'checking' })
        }
      />
      <TextInput
        {...digits}
        label="Routing number"
        description="Nine digits"
        pattern="[0-9]{9}"
        value={given.routing_number}
        onChange={({ currentTarget }) => set({ ...given, routing_number: currentTarget.value })}
      />
      <TextInput
        {...digits}
        label="Account number"
        description="4 to 17 digits"
        pattern="[0-9]{4,17}"
        value={given.account_number}
        onChange={({ currentTarget }) => set({ ...given, account_number: currentTarget.value })}
      />
    </>
  );
}
