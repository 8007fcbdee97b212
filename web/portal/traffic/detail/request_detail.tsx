import { Code, Table, Text } from '@mantine/core';
import type { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import { useMemo } from 'react';
import { apiUrl } from '../../../staff/api/environment.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Facts } from '../../../staff/parts/facts.tsx';
import { JsonView } from '../../../staff/parts/json_view.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Mark, StateBadge, type Tone } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { curlOf } from '../code/curl.ts';
import { sdkCodeOf } from '../code/sdk_code.ts';
import { CodeTabs } from './code_block.tsx';
import { LedgerLines } from './ledger_lines.tsx';
import { ToEvent } from './links.tsx';
import { Section } from './section.tsx';

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warning' : 'bad');

export const HttpStatus = ({ status }: { readonly status: number }) => (
  <Mark tone={toneOf(status)} text={String(status)} />
);

/** One call with its bodies, what it caused, and the same call as code. */
export function RequestDetail({ request }: { readonly request: ApiRequest }) {
  const { id, at, status, code, param, replayed, keyed, user_agent, duration_ms } = request;
  const refused = request.refused_in_production;
  return (
    <>
      <Facts
        rows={[
          ['Request id', <Code key="id">{id}</Code>],
          ['At', <When key="at" at={at} isExact />],
          ['Status', <HttpStatus key="status" status={status} />],
          ...(code === null ? [] : [['Code', code] as const]),
          ...(param === null ? [] : [['Field', param] as const]),
          ...(refused === null ? [] : [['Refused in production', refused] as const]),
          ['Took', `${duration_ms} ms`],
          ['Idempotency', keyWords(keyed, replayed)],
          ['Called by', user_agent ?? 'a program without a name'],
        ]}
      />
      <Caused id={id} />
      {request.request_body !== null && (
        <JsonView title="Request body" value={request.request_body} />
      )}
      {request.response_body !== null && (
        <JsonView title="Response body" value={request.response_body} />
      )}
      <AsCode request={request} />
    </>
  );
}

function keyWords(keyed: boolean, replayed: boolean): string {
  if (replayed) return 'The reply of an earlier call under the same key, again';
  return keyed ? 'Under a key: sent again, it answers the same' : 'Without a key';
}

/** The events that the call caused, with their records and what was booked. */
function Caused({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/events', {
    request_id: id,
    limit: 100,
  });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const events = data.data;
  const moments = events.flatMap(({ data: { object }, created_at: at, sample }) =>
    typeof object.id === 'string' && !sample ? { recordId: object.id, at } : [],
  );
  return (
    <>
      <Section title="What it caused">
        {events.length === 0 ? (
          <Text size="sm" c="dimmed">
            It caused no events
          </Text>
        ) : (
          <PlainTable label="Events that it caused" columns={['Event', 'Record', 'Delivery']}>
            {events.map((event) => (
              <Table.Tr key={event.id}>
                <Table.Td>
                  <ToEvent id={event.id}>{event.type}</ToEvent>
                </Table.Td>
                <Table.Td>
                  {typeof event.data.object.id === 'string' && (
                    <RecordLink id={event.data.object.id} />
                  )}
                </Table.Td>
                <Table.Td>
                  <StateBadge state={event.delivery.status} />
                </Table.Td>
              </Table.Tr>
            ))}
          </PlainTable>
        )}
      </Section>
      {moments.length > 0 && <LedgerLines moments={moments} />}
    </>
  );
}

const newKey = () => crypto.randomUUID();

/** The call as a command and as a program. What the log hides is a word such as YOUR_EMAIL. */
function AsCode({ request }: { readonly request: ApiRequest }) {
  const { method, path, request_body } = request;
  const [command, program] = useMemo(() => {
    const logged = { method, path, request_body };
    return [curlOf(logged, apiUrl, newKey), sdkCodeOf(logged, apiUrl)] as const;
  }, [method, path, request_body]);
  return (
    <Section title="Call it again">
      <CodeTabs
        label="The call as code"
        blocks={[
          {
            title: 'curl',
            copy: 'Copy as curl',
            text: command,
            note: 'With a key of its own: it is a new call. Put your values in place of each YOUR_ word.',
          },
          ...(program === null
            ? []
            : [{ title: 'TypeScript', copy: 'Copy as SDK code', text: program }]),
        ]}
      />
    </Section>
  );
}
