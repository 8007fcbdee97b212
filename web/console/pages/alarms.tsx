import { Text } from '@mantine/core';
import { alarmNames } from '@tenant-payments/backoffice/contract/operate/alarm_texts.ts';
import { useState } from 'react';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { TroubleStrip } from '../../staff/attention/trouble_strip.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { choicesOf } from '../../staff/parts/filter_fields.ts';
import type { ListField } from '../../staff/parts/filter_row.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { capitalized } from '../desk/words.ts';
import { TenantLink, useTenantName } from '../tenants/links.tsx';
import { tenantField } from '../tenants/tenant_filter.tsx';
import { OneAlarm } from './alarms/one.tsx';

const route = 'GET /portal/api/alarms';
type Row = ItemOf<typeof route>;

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

const fields: readonly ListField[] = [
  {
    name: 'status',
    label: 'State',
    kind: 'choice',
    choices: choicesOf(['open', 'acknowledged']),
  },
  {
    name: 'alarm',
    label: 'Alarm',
    kind: 'choice',
    choices: choicesOf(alarmNames, (name) => capitalized(inWords(name))),
  },
  tenantField('tenant_id'),
];

/** The alarms that need a person's attention, of all Tenants and of the platform. */
export function Alarms() {
  const list = useList<Row>({ name: 'alarms', fields, columns });
  const pages = usePages(route, list.asked as InputOf<typeof route>, false, everyMs);
  const [opened, setOpened] = useState<string | null>(null);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const open = rows.find(({ id }) => id === opened) ?? null;
  return (
    <>
      <PageTitle
        title="Alarms"
        text="What needs a person, newest first. One that repeats within a day raises its count."
      >
        {list.tools}
      </PageTitle>
      <TroubleStrip />
      {list.filters({ tenant_id: useTenantName(list.values.tenant_id ?? null) })}
      <ListTable
        label="Alarms"
        pages={pages}
        {...list.table}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpened(id)}
        empty={
          <Text fw={600}>
            {list.isFiltered ? 'No alarms match these filters' : 'No alarms yet'}
          </Text>
        }
      />
      <Detail title={open && capitalized(inWords(open.alarm))} onClose={() => setOpened(null)}>
        {open && <OneAlarm key={open.id} alarm={open} />}
      </Detail>
    </>
  );
}
