import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { capitalized, plainWords } from '@tenant-payments/contract/core/fields/field.ts';
import { useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { isGrave } from '../desk/move_words.ts';
import { moveName } from '../desk/words.ts';
import { Confirm, submitsByKey } from './confirm.tsx';
import { EffectTables } from './effect_tables.tsx';
import { changedMeanwhile, type Outcome } from './outcome.tsx';
import { useSigned } from './use_signed.ts';

function outcomeOf({ status, effect }: Approval): Outcome {
  if (status === 'refused')
    return { isDone: true, title: 'Refused', text: 'Nothing was done.', effect: null };
  if (status === 'approved')
    return { isDone: true, title: 'Approved', text: 'It is done.', effect };
  const text = 'The cap of the day is passed: another admin must approve it too.';
  return { isDone: true, title: 'Approved by you', text, effect: null };
}

interface ApprovalFormProps {
  readonly approval: Approval;
  readonly move: string;
  readonly onClose: () => void;
  readonly onEnd: (outcome: Outcome) => void;
}

/** Approves or refuses what somebody else has asked for; an own request is taken back. */
export function ApprovalForm({ approval, move, onClose, onEnd }: ApprovalFormProps) {
  const [note, setNote] = useState('');
  const queries = useQueryClient();
  const ask = useCall();
  const signed = useSigned();
  const isApproving = move === 'approve';
  const decide = useMutation({
    mutationFn: () => {
      const input = { id: approval.id, ...(note.trim() !== '' && { note: note.trim() }) };
      return isApproving
        ? signed(
            () => ask('POST /portal/api/approvals/:id/consent', { id: approval.id }),
            (signature) =>
              ask('POST /portal/api/approvals/:id/approve', { ...input, ...signature }),
          )
        : ask('POST /portal/api/approvals/:id/refuse', input);
    },
    onSuccess: (reply) => onEnd(outcomeOf(reply)),
    onError(error) {
      const outcome = changedMeanwhile(error);
      if (outcome) onEnd(outcome);
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const isOff = isApproving && (approval.changed || approval.obstacle !== null);
  return (
    <form
      onKeyDown={submitsByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff && !decide.isPending) decide.mutate();
      }}
    >
      <Stack>
        {isApproving ? (
          <>
            <ApprovalEffects approval={approval} />
            <Text size="sm">Your passkey signs exactly this.</Text>
          </>
        ) : (
          <Text size="sm">What was asked for is not done. The request ends.</Text>
        )}
        <Textarea
          label="Note"
          description="Why; only staff see it"
          rows={2}
          maxLength={1_000}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {decide.error && <Trouble error={decide.error} />}
      </Stack>
      <Confirm
        text={isApproving ? 'Approve with your passkey' : moveName(move)}
        isReady={!isOff}
        isPending={decide.isPending}
        isGrave={isGrave(move)}
        isFirst
        onClose={onClose}
      />
    </form>
  );
}

/** Why the reader is no second person for it (rules/approvals#23). */
const dependent: ReadonlyMap<string, string> = new Map([
  ['member_of_tenant', 'You are a member of this tenant: an admin who is none must approve.'],
  [
    'invited_by_maker',
    'Who asks has invited you or given you the role: somebody else must approve.',
  ],
  [
    'role_too_new',
    'Your role is newer than the request, or than a day: somebody else must approve.',
  ],
  ['own_roles', 'It changes your own roles: somebody else must approve.'],
]);

/** The obstacles to a request: the refusal that it would meet now, and changes of its record. */
export const Obstacles = ({ changed, obstacle }: Pick<Approval, 'changed' | 'obstacle'>) => (
  <>
    {obstacle && (
      <Alert color="yellow" title="It cannot be done now">
        {dependent.get(obstacle.reason ?? '') ??
          capitalized(plainWords(obstacle.reason ?? obstacle.code))}
      </Alert>
    )}
    {changed && (
      <Alert color="yellow" title="It would do something else now">
        Something has changed since it was asked for, so it cannot be approved. Refuse it, and ask
        anew where it is still wanted.
      </Alert>
    )}
  </>
);

/** The effect that a request would have now, and its obstacles. */
export function ApprovalEffects({ approval }: { readonly approval: Approval }) {
  const { record_id, effect, changed, obstacle } = approval;
  return (
    <Stack gap="sm">
      <Obstacles changed={changed} obstacle={obstacle} />
      {effect ? (
        <EffectTables id={record_id} effect={effect} />
      ) : (
        !obstacle && <Text size="sm">Nothing changes.</Text>
      )}
    </Stack>
  );
}
