import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, type InputOf } from '../../../staff/api/call.ts';
import { useCall } from '../../../staff/api/queries.ts';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import type { Changes } from '../../../staff/settings/use_save.ts';

/** Whether it was refused because one person may not do it alone (rules/approvals#3). */
export const wantsSecondPerson = (error: unknown): boolean =>
  error instanceof Failed &&
  error.failure.kind === 'refused' &&
  error.failure.reason === 'approval_required';

interface AskProps {
  readonly error: Error;
  /** What was to be saved. */
  readonly changes: Changes | undefined;
}

/** Why a change was not saved; one that needs a second person can be asked for. */
export const NotSaved = ({ error, changes }: AskProps) =>
  changes && wantsSecondPerson(error) ? (
    <AskSecondPerson
      act={{ resource: 'settings', id: 'settings', move: 'change', settings: changes }}
      why="One person does not raise a limit above twice what it was a week ago, lower a fee of the platform, shorten the withdrawal hold, or change the grace, the refund window or the account structure."
    />
  ) : (
    <Trouble error={error} />
  );

interface AskSecondPersonProps {
  readonly act: Omit<InputOf<'POST /portal/api/approvals'>, 'note'>;
  /** Why one person cannot do it alone. */
  readonly why: string;
}

/** Asks a second admin for what one may not do alone. */
export function AskSecondPerson({ act, why }: AskSecondPersonProps) {
  const call = useCall();
  const proven = useProven();
  const [note, setNote] = useState('');
  const ask = useMutation({
    mutationFn: () => proven(() => call('POST /portal/api/approvals', { ...act, note })),
  });
  if (ask.isSuccess)
    return (
      <Alert color="blue" title="It waits for a second admin" role="status">
        Nothing has changed yet. The change holds from the moment of the approval, within seven
        days.
      </Alert>
    );
  return (
    <Alert color="yellow" title="This needs a second admin" role="alert">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{why}</Text>
          <Textarea
            label="Reason for the second admin"
            required
            maxLength={1_000}
            autosize
            minRows={2}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {ask.error && <Trouble error={ask.error} />}
          <Group>
            <Button type="submit" disabled={note.trim() === ''} loading={ask.isPending}>
              Ask a second admin
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}
