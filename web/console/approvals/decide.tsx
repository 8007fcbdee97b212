import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Made } from '../../staff/people/invitations.tsx';
import { useSigned } from '../case/use_signed.ts';
import { useIsMe } from '../case/who.tsx';
import { ChangesTable } from './changes_table.tsx';
import { actOf, actorOf } from './words.ts';

/** A request, and what is to become of it. */
export interface Deciding {
  readonly request: PlatformApproval;
  readonly move: 'approve' | 'refuse';
}

/** A request that was decided. */
export interface Decided {
  readonly request: PlatformApproval;
  /**
   * The link of an invitation that no message sends: only this reply has it; null: there is none.
   */
  readonly link: string | null;
}

interface DecideProps {
  readonly deciding: Deciding;
  readonly onClose: () => void;
  readonly onEnd: (decided: Decided) => void;
}

/** Approves with a passkey what another admin has asked for, or refuses it; an own request is taken back. */
export function Decide({ deciding: { request, move }, onClose, onEnd }: DecideProps) {
  const { id, maker } = request;
  const [note, setNote] = useState('');
  const queries = useQueryClient();
  const ask = useCall();
  const signed = useSigned();
  const isApproving = move === 'approve';
  const isOwn = useIsMe()(maker);
  const decide = useMutation({
    async mutationFn(): Promise<Decided> {
      const input = { id, ...(note.trim() !== '' && { note: note.trim() }) };
      if (!isApproving) {
        const refused = await ask('POST /portal/api/platform-approvals/:id/refuse', input);
        return { request: refused, link: null };
      }
      const { link, ...approved } = await signed(
        () => ask('POST /portal/api/platform-approvals/:id/consent', { id }),
        (signature) =>
          ask('POST /portal/api/platform-approvals/:id/approve', { ...input, ...signature }),
      );
      return { request: approved, link };
    },
    onSuccess: onEnd,
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decide.mutate();
      }}
    >
      <Stack>
        {isApproving ? (
          <>
            <Text size="sm" className="breaks">
              {`${actorOf(request, maker)} asks for it: ${request.note}`}
            </Text>
            <ChangesTable request={request} label="What it changes" />
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={decide.isPending}>
            {isApproving ? 'Approve with your passkey' : isOwn ? 'Take it back' : 'Refuse'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Says how it ended, and shows the link of an invitation. It takes the focus, since the button is gone. */
export function Ended({ decided: { request, link } }: { readonly decided: Decided }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each decision takes the focus anew
  useEffect(() => box.current?.focus(), [request.id]);
  const { status, resource, move, body } = request;
  const isDone = status === 'approved';
  const isInvitation = isDone && resource === 'staff' && move === 'invite';
  return (
    <div ref={box} role="status" tabIndex={-1} className={isDone ? 'done' : 'done is-refused'}>
      <Stack gap="xs">
        <Text fw={600} className="breaks">
          {`${isDone ? 'Approved' : 'Refused'}: ${actOf(request)}`}
        </Text>
        {isInvitation && <Made email={body.email ?? ''} link={link} />}
        {!isInvitation && <Text size="sm">{isDone ? 'It is done.' : 'Nothing was done.'}</Text>}
      </Stack>
    </div>
  );
}
