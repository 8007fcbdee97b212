import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { alarmNames } from '@tenant-payments/backoffice/contract/operate/alarm_texts.ts';
import { useState } from 'react';
import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { TroubleStrip } from '../../staff/attention/trouble_strip.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { capitalized } from '../desk/words.ts';
import { TenantFilter } from '../money/tenant_filter.tsx';
import { OneAlarm } from './alarms/one.tsx';
import { TenantLink } from './operations/tenant_link.tsx';

const list = 'GET /portal/api/alarms';
type Row = ItemOf<typeof list>;

const everyMs = 15_000;

const columns: readonly Column<Row>[] = [
  { name: 'Alarm', show: ({ alarm }) => capitalized(inWords(alarm)) },
  {
    name: 'State',
    kind: 'state',
    show: ({ acknowledged_at }) =>
      acknowledged_at === null ? (
        <Mark tone="bad" text="open" />
      ) : (
        <Mark tone="plain" text="acknowledged" />
      ),
  },
  {
    name: 'Tenant',
    show: ({ tenant_id, tenant_name }) =>
      tenant_id === null ? (
        'The platform'
      ) : (
        <TenantLink id={tenant_id} name={tenant_name ?? tenant_id} />
      ),
  },
  {
    name: 'Times',
    kind: 'number',
    align: 'right',
    show: ({ count }) => count.toLocaleString('en-US'),
  },
  { name: 'What the log said', show: ({ message }) => message, width: 240, priority: 3 },
  { name: 'First', kind: 'time', priority: 2, show: ({ first_at }) => <When at={first_at} /> },
  { name: 'Last', kind: 'time', show: ({ last_at }) => <When at={last_at} /> },
];

const nothing = { status: '', alarm: '', tenant_id: '' };

const offered = (all: string, names: readonly string[]) => [
  { value: '', label: all },
  ...names.map((value) => ({ value, label: capitalized(inWords(value)) })),
];

/** What needs a person's attention, of all Tenants and of the platform. */
export function Alarms() {
  const [filters, set] = useAddress(['status', 'alarm', 'tenant_id']);
  const asked = given(filters) as InputOf<typeof list>;
  const pages = usePages(list, asked, false, everyMs);
  const [opened, setOpened] = useState<string | null>(null);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const open = rows.find(({ id }) => id === opened) ?? null;
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <PageTitle
        title="Alarms"
        text="What needs a person, newest first. One that repeats within a day raises its count."
      />
      <TroubleStrip />
      <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters">
        <NativeSelect
          label="State"
          value={filters.status}
          data={offered('Every state', ['open', 'acknowledged'])}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
        />
        <NativeSelect
          label="Alarm"
          value={filters.alarm}
          data={offered('Every alarm', alarmNames)}
          onChange={({ currentTarget }) => set({ alarm: currentTarget.value })}
        />
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        {isFiltered && (
          <Button variant="default" onClick={() => set(nothing)}>
            Show all
          </Button>
        )}
      </Group>
      <ListTable
        label="Alarms"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpened(id)}
        empty={<Text fw={600}>{isFiltered ? 'No such alarms' : 'No alarm was raised yet'}</Text>}
      />
      <Detail title={open && capitalized(inWords(open.alarm))} onClose={() => setOpened(null)}>
        {open && <OneAlarm key={open.id} alarm={open} />}
      </Detail>
    </>
  );
}
