import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { instantOf, localTime } from '../../../staff/parts/filter_fields.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';

interface RecoverProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A further endpoint; absent: the first one. */
  readonly endpointId?: string;
}

const dayMs = 86_400_000;

const choices = {
  failed: 'Those of which an attempt failed, also while they are retried',
  never_sent: 'Those that were never sent, as no endpoint was enabled',
} as const;
type Choice = keyof typeof choices;
const isChoice = (value: string): value is Choice => value in choices;

/** Counts the events that the endpoint missed in an outage, and sends them again. */
export const Recover = ({ isOpen, ...form }: RecoverProps) => (
  <Dialog title="Recover events" isOpen={isOpen} onClose={form.onClose}>
    {isOpen && <Form {...form} />}
  </Dialog>
);

const eventsIn = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

/** The request as the form has it: its times are those of the reader's zone. */
interface Asked {
  readonly since: string;
  readonly until: string;
  readonly missed: Choice;
}

/** A day before the Tenant's clock, which a sandbox may have moved, until something else is chosen. */
function useAsked() {
  const { data: clock } = useRead('GET /portal/api/clock', {});
  const [asked, setAsked] = useState<Asked>({ since: '', until: '', missed: 'failed' });
  useEffect(() => {
    if (!clock || asked.since !== '') return;
    const since = localTime(new Date(Date.parse(clock.now) - dayMs).toISOString());
    setAsked({ ...asked, since });
  }, [clock, asked]);
  return [asked, setAsked] as const;
}

const run = ({ since, until, missed }: Asked, endpointId: string | undefined, dry_run: boolean) =>
  call('POST /portal/api/events/recover', {
    since: instantOf(since),
    ...(until === '' ? {} : { until: instantOf(until) }),
    missed,
    dry_run,
    ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
  });
type Found = Awaited<ReturnType<typeof run>>;

function Form({ onClose, endpointId }: Omit<RecoverProps, 'isOpen'>) {
  const queries = useQueryClient();
  const [asked, setAsked] = useAsked();
  const count = useMutation({ mutationFn: () => run(asked, endpointId, true) });
  const send = useMutation({
    mutationFn: () => run(asked, endpointId, false),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['GET /portal/api/events'] }),
        queries.invalidateQueries({ queryKey: ['GET /portal/api/deliveries/counts'] }),
      ]),
  });
  const change = (changed: Partial<Asked>) => {
    setAsked({ ...asked, ...changed });
    count.reset();
    send.reset();
  };
  const found = count.data;
  const failed = send.error ?? count.error;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Sends again what has not arrived. Your receiver gets the same ids and may drop those that it
        has handled.
      </Text>
      <Fields asked={asked} onChange={change} />
      {failed && <Trouble error={failed} />}
      <Told found={found} sent={send.data} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          variant="default"
          disabled={asked.since === ''}
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

interface FieldsProps {
  readonly asked: Asked;
  readonly onChange: (changed: Partial<Asked>) => void;
}

const Fields = ({ asked, onChange }: FieldsProps) => (
  <>
    <TextInput
      label="Since"
      description="At most 30 days ago, in your own time zone"
      type="datetime-local"
      value={asked.since}
      onChange={({ currentTarget }) => onChange({ since: currentTarget.value })}
    />
    <TextInput
      label="Until"
      description="Empty: until now"
      type="datetime-local"
      value={asked.until}
      onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
    />
    <Radio.Group
      label="Which events"
      value={asked.missed}
      onChange={(value) => isChoice(value) && onChange({ missed: value })}
    >
      {Object.entries(choices).map(([value, label]) => (
        <Radio key={value} value={value} label={label} mt="xs" />
      ))}
    </Radio.Group>
  </>
);

interface ToldProps {
  readonly found: Found | undefined;
  readonly sent: Found | undefined;
}

const Told = ({ found, sent }: ToldProps) => (
  <div role="status">
    {found && !sent && (
      <Alert color="blue" p="xs">
        {found.events === 0
          ? 'There is nothing to send again of that time.'
          : `${eventsIn(found.events)} would be sent again${found.has_more ? ', and more after them' : ''}. Nothing has been sent yet.`}
      </Alert>
    )}
    {sent && (
      <Alert color="blue" p="xs">
        {`${eventsIn(sent.events)} ${sent.events === 1 ? 'is' : 'are'} sent again${sent.has_more ? '. There are more: recover once more' : ''}.`}
      </Alert>
    )}
  </div>
);
