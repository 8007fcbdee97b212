import { Skeleton, Table, Text } from '@mantine/core';
import { useRead } from '../../../staff/api/queries.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { useTexts } from '../../../staff/settings/request_uses.ts';

const columns = ['Use', 'Sent', 'Paid', 'Refused', 'Opted out', 'Expired'];

function Share({ count, of }: { readonly count: number; readonly of: number }) {
  return (
    <Table.Td ta="right">
      {count.toLocaleString('en-US')}
      {count > 0 && (
        <Text span size="xs" c="dimmed" ml={6}>{`${((100 * count) / of).toFixed(1)}%`}</Text>
      )}
    </Table.Td>
  );
}

/** How the Tenant's Requests for Payment of 30 days went, by use. */
export function RequestVolumes() {
  const { data, error, refetch } = useRead('GET /portal/api/request-volumes', {});
  const rows = data && [
    ...data.uses
      .filter(({ sent }) => sent > 0)
      .map((use) => ({ ...use, name: useTexts[use.use_case].title })),
    { ...data.total, name: 'All' },
  ];
  return (
    <Section
      title="Requests for payment"
      text="Of the last 30 days, by the tenant's clock. Networks ask a bank about refusals, and about customers who want no more requests."
    >
      {error ? (
        <Trouble error={error} onRetry={() => void refetch()} />
      ) : !rows ? (
        <Skeleton height={120} />
      ) : (
        <PlainTable label="Requests for payment by use" columns={columns} right={columns.slice(1)}>
          {rows.map(({ name, sent, paid, refused, opted_out, expired }) => (
            <Table.Tr key={name} fw={name === 'All' ? 600 : undefined}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right">{sent.toLocaleString('en-US')}</Table.Td>
              <Share count={paid} of={sent} />
              <Share count={refused} of={sent} />
              <Share count={opted_out} of={sent} />
              <Share count={expired} of={sent} />
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
