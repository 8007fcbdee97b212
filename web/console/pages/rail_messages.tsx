import { Text } from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import type { ListField } from '../../staff/parts/filter_row.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { TenantLink, useTenantName } from '../tenants/links.tsx';
import { tenantField } from '../tenants/tenant_filter.tsx';
import { OneRailMessage } from './rail_messages/one.tsx';

const route = 'GET /portal/api/rail-messages';
type Row = ItemOf<typeof route>;

const everyMs = 15_000;

/** The states to choose from; without one the messages that somebody must look at are listed. */
const states = [
  { value: 'closed', label: 'Closed' },
  { value: 'received', label: 'Not acted on yet' },
];

const fields: readonly ListField[] = [
  { name: 'state', label: 'State', kind: 'choice', placeholder: 'To look at', choices: states },
  { name: 'provider', label: 'Provider', kind: 'text', placeholder: 'Its name' },
  tenantField('tenant_id'),
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
  const list = useList<Row>({ name: 'rail messages', fields, columns });
  const pages = usePages(route, list.asked as InputOf<typeof route>, false, everyMs);
  const [opened, setOpened] = useState<Row | null>(null);
  return (
    <>
      <PageTitle
        title="Messages of providers"
        text="What a bank or another provider said and no record took, what came first first."
      >
        {list.tools}
      </PageTitle>
      {list.filters({ tenant_id: useTenantName(list.values.tenant_id ?? null) })}
      <ListTable
        label="Messages of providers"
        pages={pages}
        {...list.table}
        keyOf={({ id }) => id}
        onOpen={setOpened}
        empty={
          <Text fw={600}>
            {list.isFiltered
              ? 'No messages match these filters'
              : 'Every message did what it should'}
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
