import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { instantOf, localTime } from '../filters/fields.ts';

interface RecoverProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const dayMs = 86_400_000;

/** After an outage of the endpoint: counts what it has missed, and sends it again. */
export const Recover = ({ isOpen, onClose }: RecoverProps) => (
  <Dialog title="Recover failed events" isOpen={isOpen} onClose={onClose}>
    {isOpen && <Form onClose={onClose} />}
  </Dialog>
);

const eventsIn = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

function Form({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { data: clock } = useRead('GET /portal/api/clock', {});
  const [since, setSince] = useState('');
  useEffect(() => {
    // A day before the Tenant's clock, which a sandbox may have moved.
    if (clock && since === '')
      setSince(localTime(new Date(Date.parse(clock.now) - dayMs).toISOString()));
  }, [clock, since]);
  const run = (dry_run: boolean) =>
    call('POST /portal/api/events/recover', { since: instantOf(since), dry_run });
  const count = useMutation({ mutationFn: () => run(true) });
  const send = useMutation({
    mutationFn: () => run(false),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['GET /portal/api/events'] }),
        queries.invalidateQueries({ queryKey: ['GET /portal/api/deliveries/counts'] }),
      ]),
  });
  const found = count.data;
  const failed = send.error ?? count.error;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Sends again what has failed, and what was never sent because no endpoint was enabled. Your
        receiver gets the same ids and may drop those that it has handled.
      </Text>
      <TextInput
        label="Since"
        description="At most 30 days ago, in your own time zone"
        type="datetime-local"
        value={since}
        onChange={({ currentTarget }) => {
          setSince(currentTarget.value);
          count.reset();
          send.reset();
        }}
      />
      {failed && <Trouble error={failed} />}
      <div role="status">
        {found && !send.data && (
          <Alert color="blue" p="xs">
            {found.events === 0
              ? 'Nothing has failed since then.'
              : `${eventsIn(found.events)} would be sent again${found.has_more ? ', and more after them' : ''}. Nothing has been sent yet.`}
          </Alert>
        )}
        {send.data && (
          <Alert color="blue" p="xs">
            {`${eventsIn(send.data.events)} ${send.data.events === 1 ? 'is' : 'are'} sent again${send.data.has_more ? '. There are more: recover once more' : ''}.`}
          </Alert>
        )}
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          variant="default"
          disabled={since === ''}
          loading={count.isPending}
          onClick={() => count.mutate()}
        >
          Count
        </Button>
        <Button
          disabled={!found || found.events === 0 || send.isSuccess}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {found && found.events > 0 ? `Send ${eventsIn(found.events)} again` : 'Send again'}
        </Button>
      </Group>
    </Stack>
  );
}
