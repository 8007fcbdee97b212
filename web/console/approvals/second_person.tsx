import { Alert, Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Failed, type InputOf } from '../../staff/api/call.ts';
import { useCall } from '../../staff/api/queries.ts';
import { useProven } from '../../staff/api/step_up.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import type { Changes } from '../../staff/settings/use_save.ts';

/** Whether it was refused because one person may not do it alone (rules/approvals#3). */
export const wantsSecondPerson = (error: unknown): boolean =>
  error instanceof Failed &&
  error.failure.kind === 'refused' &&
  error.failure.reason === 'approval_required';

interface AskProps {
  readonly error: Error;
  /** The changes that were not saved; absent: none were sent. */
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

/** Asks a second admin for what one may not do alone to a Tenant. */
export function AskSecondPerson({ act, why }: AskSecondPersonProps) {
  const call = useCall();
  return (
    <Asking
      ask={(note) => call('POST /portal/api/approvals', { ...act, note })}
      why={why}
      most={1_000}
    />
  );
}

/** An act on the platform, as a second admin is asked for it (rules/approvals#13). */
export type PlatformAct = Omit<InputOf<typeof platformRequests>, 'note'>;
const platformRequests = 'POST /portal/api/platform-approvals';

interface RefusedProps {
  readonly error: Error;
  /** The act that was refused; absent: it is not known. */
  readonly act: PlatformAct | undefined;
}

interface AskSecondAdminProps {
  readonly act: PlatformAct;
  readonly why: string;
}

/** Asks a second admin for an act on the platform that one has no call for. */
export function AskSecondAdmin({ act, why }: AskSecondAdminProps) {
  const call = useCall();
  const queries = useQueryClient();
  return (
    <Asking
      // Another act gets a form of its own.
      key={JSON.stringify(act)}
      ask={async (note) => {
        await call(platformRequests, { ...act, note });
        await queries.invalidateQueries({ queryKey: ['GET /portal/api/platform-approvals'] });
      }}
      why={why}
      most={500}
    >
      <Anchor component={Link} to="/requests" size="sm">
        See the requests
      </Anchor>
    </Asking>
  );
}

/** Why an act on the platform was not done; one that needs a second admin can be asked for. */
export function NotDone({ error, act }: RefusedProps) {
  if (!act || !wantsSecondPerson(error)) return <Trouble error={error} />;
  const why =
    'Who may approve, and the identity provider of the platform, are changed by two admins.';
  return <AskSecondAdmin act={act} why={why} />;
}

interface AskingProps {
  readonly ask: (note: string) => Promise<unknown>;
  readonly why: string;
  /** Letters of the reason. */
  readonly most: number;
  /** The way to what was asked for. */
  readonly children?: ReactNode;
}

function Asking({ ask, why, most, children }: AskingProps) {
  const proven = useProven();
  const [note, setNote] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // The service refused the act of one person; only the reason is missing to ask for it, so its
  // field gets the focus.
  useEffect(() => field.current?.focus(), []);
  const asking = useMutation({ mutationFn: () => proven(() => ask(note)) });
  if (asking.isSuccess)
    return (
      <Alert color="blue" title="It waits for a second admin" role="status">
        <Text size="sm">
          Nothing has changed yet. The change holds from the moment of the approval, within seven
          days.
        </Text>
        {children}
      </Alert>
    );
  return (
    <Alert color="yellow" title="This needs a second admin" role="alert">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          asking.mutate();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{why}</Text>
          <Textarea
            ref={field}
            label="Reason for the second admin"
            required
            maxLength={most}
            autosize
            minRows={2}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {asking.error && <Trouble error={asking.error} />}
          <Group>
            <Button type="submit" disabled={note.trim() === ''} loading={asking.isPending}>
              Ask a second admin
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}
