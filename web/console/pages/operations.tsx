import { Anchor, List, Skeleton, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Operations } from '@tenant-payments/backoffice/contract/operate/operations.ts';
import { useRead } from '../../staff/api/queries.ts';
import { TroubleStrip } from '../../staff/attention/trouble_strip.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { counted, lengthOf } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Deliveries, JobQueues } from './operations/queues.tsx';
import { worryWords } from './operations/words.ts';

const everyMs = 10_000;

interface PartProps {
  readonly operations: Operations;
}

/** How the deployment does now; it reads itself again while it is seen. */
export function OperationsPage() {
  const { data, error, refetch } = useRead('GET /portal/api/operations', {}, everyMs);
  return (
    <>
      <PageTitle
        title="Operations"
        text="Processes, queues and proofs. The page reads itself again every 10 seconds."
      />
      <Stack gap="xl" maw={1100}>
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={320} role="status" aria-label="Loading" />}
        {data && (
          <>
            <TroubleStrip />
            <Worries operations={data} />
            <Processes operations={data} />
            <JobQueues operations={data} />
            <Deliveries operations={data} />
            <Proofs operations={data} />
            <Database operations={data} />
          </>
        )}
      </Stack>
    </>
  );
}

function Worries({ operations: { worries, at } }: PartProps) {
  return (
    <Stack gap={4}>
      {worries.length > 0 && (
        <List size="sm" aria-label="Worries" aria-live="polite">
          {worries.map((worry) => (
            <List.Item key={worry}>{worryWords[worry]}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed">
        {'As of '}
        <When at={at} isDate />
      </Text>
    </Stack>
  );
}

const columns = ['Process', 'State', 'Roles', 'Release', 'Started', 'Last seen'];

function Processes({ operations: { processes, at } }: PartProps) {
  const ago = (seen_at: string) => lengthOf(Math.max(0, Date.parse(at) - Date.parse(seen_at)));
  return (
    <Section
      title="Processes"
      text="One that is killed is shown as lost for a minute; one that drains is gone at once."
    >
      <PlainTable label="Processes by age" columns={columns}>
        {processes.map(({ id, state, roles, version, started_at, seen_at, is_answering }) => (
          <Table.Tr key={id}>
            <Table.Td title={id}>
              {`…${id.slice(-8)}`}
              {is_answering && (
                <Text size="xs" c="dimmed">
                  answers you
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Mark tone={state === 'live' ? 'good' : 'bad'} text={state} />
            </Table.Td>
            <Table.Td>{roles.join(', ')}</Table.Td>
            <Table.Td>{version ?? 'Not known'}</Table.Td>
            <Table.Td>
              <When at={started_at} />
            </Table.Td>
            <Table.Td
              className={state === 'lost' ? 'is-late' : ''}
            >{`${ago(seen_at)} ago`}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      {processes.length === 0 && <Text size="sm">No processes are running</Text>}
    </Section>
  );
}

function Proofs({ operations: { proofs } }: PartProps) {
  const { tenants, proven, violated, not_proven, oldest_at } = proofs;
  return (
    <Section title="Ledger proofs" text="Each ledger is proven at 04:00 Eastern Time.">
      <Facts
        rows={[
          ['Proven', `${proven} of ${counted(tenants, 'tenant')} older than a day`],
          ['Not proven', <Worrying key="not" count={not_proven} />],
          ['Violated', <Worrying key="bad" count={violated} />],
          ['Oldest proof', <When key="at" at={oldest_at} />],
        ]}
      />
      <Anchor component={Link} to="/ledger-proofs" size="sm">
        Every tenant's proofs
      </Anchor>
    </Section>
  );
}

const Worrying = ({ count }: { readonly count: number }) =>
  count === 0 ? 'No tenants' : <Mark tone="bad" text={counted(count, 'tenant')} />;

function Database({ operations: { database, worries } }: PartProps) {
  const { in_use, idle, waiting } = database;
  return (
    <Section title="Database" text="The connections of the process that answers you.">
      <Facts
        rows={[
          ['In use', in_use],
          ['Idle', idle],
          [
            'Queries waiting',
            <span key="waiting" className={worries.includes('database_busy') ? 'is-late' : ''}>
              {waiting}
            </span>,
          ],
        ]}
      />
    </Section>
  );
}
