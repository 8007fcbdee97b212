import { Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { TenantFilter } from '../money/tenant_filter.tsx';
import { TenantLink } from './operations/tenant_link.tsx';
import { OneRailMessage } from './rail_messages/one.tsx';

const list = 'GET /portal/api/rail-messages';
type Row = ItemOf<typeof list>;

const everyMs = 15_000;

const states = [
  { value: '', label: 'To look at' },
  { value: 'closed', label: 'Closed' },
  { value: 'received', label: 'Not acted on yet' },
];

const columns: readonly Column<Row>[] = [
  { name: 'Provider', show: ({ provider }) => provider },
  { name: 'Its message', width: 200, show: ({ message_id }) => message_id },
  {
    name: 'Tenant',
    show: ({ tenant_id, tenant_name }) =>
      tenant_id === null ? (
        'Not known'
      ) : (
        <TenantLink id={tenant_id} name={tenant_name ?? tenant_id} />
      ),
  },
  {
    name: 'State',
    kind: 'state',
    show: ({ state }) => <StateBadge state={state} resource="rail_message" />,
  },
  { name: 'Result', show: ({ result }) => (result === null ? 'Not processed' : inWords(result)) },
  { name: 'Came', kind: 'time', show: ({ received_at }) => <When at={received_at} /> },
];

/** Messages of banks and other providers that did nothing, of all Tenants. */
export function RailMessages() {
  const [filters, set] = useAddress(['state', 'provider', 'tenant_id']);
  const asked = given(filters) as InputOf<typeof list>;
  const pages = usePages(list, asked, false, everyMs);
  const [opened, setOpened] = useState<Row | null>(null);
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <PageTitle
        title="Messages of providers"
        text="What a bank or another provider said and no record took, what came first first."
      />
      <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters">
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        <NativeSelect
          label="State"
          value={filters.state}
          data={states}
          onChange={({ currentTarget }) => set({ state: currentTarget.value })}
        />
        <FilterText
          label="Provider"
          placeholder="Its name"
          value={filters.provider}
          onChange={(provider) => set({ provider })}
        />
      </Group>
      <ListTable
        label="Messages of providers"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={setOpened}
        empty={
          <Text fw={600}>
            {isFiltered ? 'No such messages' : 'Every message did what it should.'}
          </Text>
        }
      />
      <Detail
        title={opened && `${opened.provider}: ${opened.message_id}`}
        onClose={() => setOpened(null)}
      >
        {opened && <OneRailMessage key={opened.id} message={opened} />}
      </Detail>
    </>
  );
}
