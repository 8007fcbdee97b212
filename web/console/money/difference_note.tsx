import { Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StatementDifference } from '@tenant-payments/backoffice/contract/money/bank_statements.ts';
import { useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Confirm, submitsByKey } from '../case/confirm.tsx';

interface DifferenceNoteProps {
  readonly statementId: string;
  /** Null: none is looked at. */
  readonly difference: StatementDifference | null;
  readonly onClose: () => void;
}

/** Clears a difference up, or opens it again: either way with a note that stays. */
export const DifferenceNote = (props: DifferenceNoteProps) => (
  <Dialog
    title={props.difference?.cleared ? 'Open the difference again' : 'Clear the difference'}
    isOpen={props.difference !== null}
    onClose={props.onClose}
  >
    {props.difference && <NoteForm {...props} difference={props.difference} />}
  </Dialog>
);

interface NoteFormProps extends DifferenceNoteProps {
  readonly difference: StatementDifference;
}

function NoteForm({ statementId, difference, onClose }: NoteFormProps) {
  const [text, setText] = useState('');
  const ask = useCall();
  const queries = useQueryClient();
  const { key, cleared } = difference;
  const note = useMutation({
    mutationFn: () =>
      ask('POST /portal/api/bank-statements/:id/notes', {
        id: statementId,
        difference: key,
        note: text.trim(),
        cleared: !cleared,
      }),
    async onSuccess() {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const isReady = text.trim() !== '';
  return (
    <form
      onKeyDown={submitsByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !note.isPending) note.mutate();
      }}
    >
      <Stack>
        <Textarea
          label="What it is"
          description="It stays with your name, and moves no money: no names, addresses or numbers"
          required
          data-autofocus
          rows={3}
          maxLength={1_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {note.error && <Trouble error={note.error} />}
      </Stack>
      <Confirm
        text={cleared ? 'Open it again' : 'Clear it'}
        isReady={isReady}
        isPending={note.isPending}
        isGrave={false}
        isFirst={false}
        onClose={onClose}
      />
    </form>
  );
}
