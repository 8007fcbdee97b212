import { Skeleton, Table, Text } from '@mantine/core';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark, StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { CaseLink } from '../case/case_link.tsx';
import { kindOf, moveName } from '../desk/words.ts';

interface CasesProps {
  readonly customerId: string;
  /** The case that is on the page already. */
  readonly besides?: string;
}

const columns = ['Case', 'State', 'Amount', 'Last decision'];

/** The customer's cases, those that wait for a person and those that were decided. */
export function CustomerCases({ customerId, besides }: CasesProps) {
  const route = 'GET /portal/api/customers/:id/cases';
  const { data, error, refetch } = useRead(route, { id: customerId });
  const mayOpen = holds(useSession(), ['reviewer']);
  const cases = data?.data.filter(({ id }) => id !== besides);
  return (
    <Section title={besides ? 'Other cases of the customer' : 'Cases'}>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {cases?.length === 0 && (
        <Text size="sm" c="dimmed">
          {besides ? 'No other cases' : 'No cases yet'}
        </Text>
      )}
      {cases && cases.length > 0 && (
        <PlainTable label="Cases of the customer" columns={columns} right={['Amount']}>
          {cases.map(({ id, resource, status, amount, waiting_since, ...last }) => (
            <Table.Tr key={id}>
              <Table.Td>
                {mayOpen ? <CaseLink resource={resource} id={id} /> : kindOf(resource)}
              </Table.Td>
              <Table.Td>
                <StateBadge
                  state={status}
                  {...(resource === 'disputes' && { resource: 'dispute' })}
                />{' '}
                {waiting_since && <Mark tone="warning" text="waits for a person" />}
              </Table.Td>
              <Table.Td ta="right">{amount !== null && <Cents value={amount} />}</Table.Td>
              <Table.Td>
                {last.last_move ? moveName(last.last_move) : 'Not decided'}
                {last.last_moved_at && (
                  <Text size="xs" c="dimmed">
                    <When at={last.last_moved_at} />
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
