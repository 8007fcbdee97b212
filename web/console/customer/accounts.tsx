import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../staff/api/queries.ts';
import { Balance } from '../../staff/parts/face.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { RecordLink, useRecordPage } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { capitalized } from '../desk/words.ts';

interface OfCustomerProps {
  readonly customerId: string;
}

const accountColumns = ['Account', 'Balance', 'State', 'Opened'];

/** The accounts of a customer with what they hold. */
export function Accounts({ customerId }: OfCustomerProps) {
  const route = 'GET /portal/api/accounts';
  const { data, error, refetch } = useRead(route, { customer_id: customerId });
  return (
    <Section title="Accounts">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {data?.data.length === 0 && <Text size="sm">No accounts yet</Text>}
      {data && data.data.length > 0 && (
        <PlainTable label="Accounts of the customer" columns={accountColumns} right={['Balance']}>
          {data.data.map(({ id, type, status, opened_at }) => (
            <Table.Tr key={id}>
              <Table.Td>
                {capitalized(inWords(type))} <RecordLink id={id} />
              </Table.Td>
              <Table.Td ta="right">
                <Balance id={id} />
              </Table.Td>
              <Table.Td>
                <StateBadge state={status} />
              </Table.Td>
              <Table.Td>
                <When at={opened_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}

const linkColumns = ['Bank account', 'State', 'Can', 'Linked'];

/** The bank accounts that a customer has linked, and what each may do. */
export function LinkedAccounts({ customerId }: OfCustomerProps) {
  const pageOf = useRecordPage();
  const route = 'GET /portal/api/linked-accounts';
  const { data, error, refetch } = useRead(route, { customer_id: customerId });
  return (
    <Section title="Linked bank accounts">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {data?.data.length === 0 && <Text size="sm">No bank accounts yet</Text>}
      {data && data.data.length > 0 && (
        <PlainTable label="Bank accounts of the customer" columns={linkColumns}>
          {data.data.map(({ id, status, capabilities, created_at, ...of }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Anchor component={Link} {...pageOf(id)} size="sm">
                  {`${isolated(of.institution_name)} …${of.account_mask}`}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <StateBadge state={status} />
              </Table.Td>
              <Table.Td>
                {Object.entries(capabilities)
                  .flatMap(([name, can]) => (can ? [inWords(name)] : []))
                  .join(', ') || 'No transfers'}
              </Table.Td>
              <Table.Td>
                <When at={created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
