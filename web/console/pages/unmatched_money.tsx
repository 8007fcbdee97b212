import { Anchor, Group, NativeSelect, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UnmatchedMoney } from '@tenant-payments/backoffice/contract/money/suspense.ts';
import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { usePages } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { suspenseReasons, titleOf } from '../desk/what.ts';
import { Age } from '../money/age.tsx';
import { Paged } from '../money/paged.tsx';
import { sentWords } from '../money/received.tsx';
import { TenantFilter } from '../tenants/tenant_filter.tsx';

const list = 'GET /portal/api/unmatched-money';

const states = [
  { value: '', label: 'To match' },
  { value: 'matched', label: 'Matched' },
  { value: 'returned', label: 'Returned' },
];

const Row = ({ item: { record, ...item } }: { readonly item: UnmatchedMoney }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor
        component={Link}
        to="/money/unmatched/$tenantId/$id"
        params={{ tenantId: item.tenant_id, id: record.id } as never}
        size="sm"
        title={record.id}
      >
        {titleOf(record)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {item.tenant_name}
      </Text>
    </Table.Td>
    <Table.Td ta="right">
      <Cents value={record.amount} />
    </Table.Td>
    <Table.Td>{suspenseReasons[record.reason]}</Table.Td>
    <Table.Td className="breaks">
      {item.received ? sentWords(item.received) : item.references.join(', ') || 'No reference'}
    </Table.Td>
    <Table.Td>
      <Age since={record.created_at} now={record.resolved_at ?? item.now} />
    </Table.Td>
  </Table.Tr>
);

/** Bank money that no record takes, of all Tenants. */
export function UnmatchedMoneyPage() {
  const [filters, set] = useAddress(['tenant_id', 'status']);
  const pages = usePages(list, given(filters) as InputOf<typeof list>);
  return (
    <>
      <PageTitle
        title="Unmatched money"
        text="Money from the bank that fits no record, what has waited longest first."
      />
      <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters">
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        <NativeSelect
          label="State"
          value={filters.status}
          data={states}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
        />
      </Group>
      <Paged
        label="Unmatched money"
        pages={pages}
        columns={['Money', 'Amount', 'Why', 'From the bank', 'Waited']}
        right={['Amount']}
        empty={
          filters.status === '' ? 'All money from the bank is matched' : 'No money in this state'
        }
        row={(item) => <Row key={item.record.id} item={item} />}
      />
    </>
  );
}
