import { Table, Text } from '@mantine/core';
import type { Operations } from '@tenant-payments/backoffice/contract/operate/operations.ts';
import type { ReactNode } from 'react';
import { Facts } from '../../../staff/parts/facts.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { counted, lengthOf } from '../../../staff/parts/tell.ts';
import { When } from '../../../staff/parts/when.tsx';
import { RecordOf, TenantLink } from '../../tenants/links.tsx';

interface QueuesProps {
  readonly operations: Operations;
}

/** A length of time, in red where it is one to worry about. */
const Late = ({ seconds, isWorry }: { readonly seconds: number; readonly isWorry: boolean }) =>
  seconds === 0 ? (
    'Nothing is late'
  ) : (
    <span className={isWorry ? 'is-late' : ''}>{lengthOf(seconds * 1_000)}</span>
  );

const atLeast = (count: number, isAll: boolean, one: string): string =>
  `${isAll ? '' : 'More than '}${counted(count, one)}`;

const columns = ['Job', 'Waiting', 'Late', 'Failing', 'Oldest', 'Next try', 'Tenant'];

/** The jobs of all Tenants, by name. */
export function JobQueues({ operations: { jobs, worries } }: QueuesProps) {
  const { waiting, is_all, overdue, failing, late_seconds, queues } = jobs;
  return (
    <Section title="Jobs" text="Work that falls due, of all tenants: what fails or is late first.">
      <Facts
        rows={[
          ['Waiting', atLeast(waiting, is_all, 'job')],
          ['Late', counted(overdue, 'job')],
          [
            'Failing',
            failing > 0 ? <Bad key="bad" text={counted(failing, 'job')} /> : 'No failures',
          ],
          [
            'Latest by',
            <Late key="late" seconds={late_seconds} isWorry={worries.includes('jobs_late')} />,
          ],
        ]}
      />
      {queues.length > 0 && (
        <PlainTable label="Jobs by name" columns={columns} right={['Waiting', 'Late', 'Failing']}>
          {queues.map(({ job, does, waiting: count, overdue: late, failing: bad, oldest }) => (
            <Table.Tr key={job}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {job}
                </Text>
                <Text size="xs" c="dimmed">
                  {does}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{count.toLocaleString('en-US')}</Table.Td>
              <Table.Td ta="right">{late.toLocaleString('en-US')}</Table.Td>
              <Table.Td ta="right">{bad > 0 ? <Bad text={String(bad)} /> : 0}</Table.Td>
              <Table.Td>{oldest && <When at={oldest.due_at} />}</Table.Td>
              <Table.Td>{oldest && <When at={oldest.next_try_at} />}</Table.Td>
              <Table.Td>
                {oldest && <TenantLink id={oldest.tenant_id} name={oldest.tenant_name} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
      {jobs.oldest && (
        <Oldest title="Oldest job" of={jobs.oldest}>
          {jobs.oldest.does}
          {jobs.oldest.record_id && (
            <>
              {': '}
              <RecordOf tenantId={jobs.oldest.tenant_id} id={jobs.oldest.record_id} />
            </>
          )}
        </Oldest>
      )}
    </Section>
  );
}

const Bad = ({ text }: { readonly text: string }) => <Mark tone="bad" text={text} />;

/** The events that are still to be sent, of all Tenants. */
export function Deliveries({ operations: { deliveries, worries } }: QueuesProps) {
  const { waiting, is_all, overdue, retrying, late_seconds, oldest_seconds, oldest } = deliveries;
  return (
    <Section title="Deliveries" text="Events of all tenants that are to be sent.">
      <Facts
        rows={[
          ['Waiting', atLeast(waiting, is_all, 'event')],
          ['Late', counted(overdue, 'event')],
          ['Tried before', counted(retrying, 'event')],
          [
            'Latest by',
            <Late
              key="late"
              seconds={late_seconds}
              isWorry={worries.includes('deliveries_late')}
            />,
          ],
          [
            'Oldest waits',
            oldest ? (
              <Late
                key="oldest"
                seconds={oldest_seconds}
                isWorry={worries.includes('event_undelivered')}
              />
            ) : (
              'No event waits'
            ),
          ],
        ]}
      />
      {oldest && (
        <Oldest title="Oldest event" of={oldest}>
          <RecordOf tenantId={oldest.tenant_id} id={oldest.event_id} />
        </Oldest>
      )}
    </Section>
  );
}

interface OldestProps {
  readonly title: string;
  readonly of: {
    readonly tenant_id: string;
    readonly tenant_name: string;
    readonly next_try_at: string;
  };
  /** The name of the waiting job or event. */
  readonly children: ReactNode;
}

/** The job or event that waits the longest: its Tenant, and the time of its next try. */
const Oldest = ({ title, of, children }: OldestProps) => (
  <Facts
    rows={[
      [title, children],
      ['Its tenant', <TenantLink key="tenant" id={of.tenant_id} name={of.tenant_name} />],
      ['Its next try', <When key="next" at={of.next_try_at} />],
    ]}
  />
);
