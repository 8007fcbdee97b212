import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Alarm } from '@tenant-payments/backoffice/contract/operate/alarms.ts';
import { runbookOf } from '@tenant-payments/contract/core/runbook.ts';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { hasDocs } from '../../../staff/api/environment.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { isolated } from '../../../ui/isolated.ts';
import { AskSecondAdmin } from '../../approvals/second_person.tsx';
import { RecordOf } from '../../tenants/links.tsx';
import { AlarmLink } from './link.tsx';

interface PartProps {
  readonly alarm: Alarm;
}

/** The guide writes names of fields as code. */
const plain = (text: string): string => {
  const said = text.replaceAll('`', '');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
};

/** One alarm: what it means, what to do, and who has taken note of it. */
export function OneAlarm({ alarm }: PartProps) {
  const mayAct = holds(useSession(), ['reviewer']);
  const { means, remedy, tenant_id, tenant_name, record_id, message, facts } = alarm;
  return (
    <>
      <Section title="What it means">
        <Text size="sm">{plain(means)}</Text>
      </Section>
      <Section title="What to do">
        <Text size="sm">{plain(remedy)}</Text>
      </Section>
      <Facts
        rows={[
          ['Tenant', tenant_id === null ? 'The platform' : (tenant_name ?? tenant_id)],
          [
            'Record',
            record_id === null ? (
              'No record'
            ) : (
              <RecordOf key="record" tenantId={tenant_id} id={record_id} />
            ),
          ],
          ['Go to', <AlarmLink key="way" alarm={alarm} />],
          ...(hasDocs ? [['Runbook', <Runbook key="runbook" name={alarm.alarm} />] as const] : []),
          ['The log said', message],
          ['Times', alarm.count],
          ['First', <When key="first" at={alarm.first_at} />],
          ['Last', <When key="last" at={alarm.last_at} />],
          ['Process', <ShortId key="process" id={alarm.process_id} />],
        ]}
      />
      <JsonView title="Facts of the last time" value={facts} />
      {alarm.alarm === 'restore_order' && record_id !== null && <Settle id={record_id} />}
      {alarm.acknowledged_at !== null && (
        <Section title="Acknowledged">
          <Text size="sm">
            {`${isolated(alarm.acknowledged_by ?? '')}, `}
            <When at={alarm.acknowledged_at} />
          </Text>
          <Text size="sm" className="wrapped">
            {alarm.note}
          </Text>
        </Section>
      )}
      {alarm.acknowledged_at === null && mayAct && <Acknowledge id={alarm.id} />}
    </>
  );
}

/** The part of the documentation that the line of the log names. */
const Runbook = ({ name }: { readonly name: string }) => (
  <Anchor href={runbookOf(name)} target="_blank" size="sm">
    What to look at, and what to do
  </Anchor>
);

const whySettle =
  'Two admins settle an order that nobody repeats, once its money was put right. It moves nothing, and raises no alarm any more.';

/** An order that the bank has and no record is known of, for admins alone. */
function Settle({ id }: { readonly id: string }) {
  const [isAsking, setAsking] = useState(false);
  if (!holds(useSession(), ['admin'])) return null;
  if (isAsking)
    return <AskSecondAdmin act={{ resource: 'restores', id, move: 'settle' }} why={whySettle} />;
  return (
    <Group>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        Settle the order
      </Button>
    </Group>
  );
}

function Acknowledge({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const send = useMutation({
    mutationFn: () => call('POST /portal/api/alarms/:id/acknowledge', { id, note: note.trim() }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="What was done about it"
          autosize={false}
          rows={3}
          maxLength={2_000}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {send.error && <Trouble error={send.error} />}
        <Group>
          <Button type="submit" disabled={note.trim() === ''} loading={send.isPending}>
            Acknowledge
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
