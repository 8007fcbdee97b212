import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { useSession } from '../../staff/api/session.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { ownKeys } from '../desk/move_keys.ts';
import { TakenBy } from '../desk/taken_by.tsx';
import { useKeys } from '../desk/use_keys.ts';
import { KeyHint } from './confirm.tsx';

/** Somebody else who has taken a case: nobody but that person decides it. */
export function useOther({ assigned_to }: CaseFile): CaseFile['assigned_to'] {
  const { person } = useSession();
  return assigned_to?.id === person?.id ? null : assigned_to;
}

type Change = { readonly from?: string } | 'release';

/** The person who has taken a case, and the buttons to take it or to give it back. */
export function Assignment({ file }: { readonly file: CaseFile }) {
  const { resource, id, assigned_to, assigned_at } = file;
  const other = useOther(file);
  const queries = useQueryClient();
  const ask = useCall();
  const [isAsking, setAsking] = useState(false);
  const one = { resource, id };
  const change = useMutation({
    mutationFn: (wanted: Change) =>
      wanted === 'release'
        ? ask('POST /portal/api/cases/:resource/:id/release', one)
        : ask('POST /portal/api/cases/:resource/:id/take', { ...one, ...wanted }),
    onSettled: () => {
      setAsking(false);
      return queries.invalidateQueries();
    },
  });
  const takes = {
    'aria-keyshortcuts': ownKeys.take,
    rightSection: <KeyHint text={ownKeys.take} />,
  };
  const button = (text: string, onClick: () => void, more: object = takes) => (
    <Button
      variant="default"
      size="compact-sm"
      loading={change.isPending}
      onClick={onClick}
      {...more}
    >
      {text}
    </Button>
  );
  useKeys({
    [ownKeys.take]: () => {
      if (other) setAsking(true);
      else if (assigned_to === null) change.mutate({});
    },
  });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text size="sm" component="div">
          {assigned_to === null ? 'Unassigned' : 'Taken by '}
          {assigned_to !== null && <TakenBy person={assigned_to} />}
          {assigned_at && (
            <>
              {' '}
              since <When at={assigned_at} isDate />
            </>
          )}
        </Text>
        {assigned_to === null && button('Take this case', () => change.mutate({}))}
        {assigned_to && !other && button('Give it back', () => change.mutate('release'), {})}
        {other && button(`Take over from ${isolated(other.name)}`, () => setAsking(true))}
      </Group>
      {change.error && <Trouble error={change.error} />}
      {other && (
        <Dialog title="Take over this case" isOpen={isAsking} onClose={() => setAsking(false)}>
          <Text size="sm" mb="md">
            {`${isolated(other.name)} has this case and may be at work on it. From then on you decide it alone.`}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button loading={change.isPending} onClick={() => change.mutate({ from: other.id })}>
              Take it over
            </Button>
          </Group>
        </Dialog>
      )}
    </Stack>
  );
}
