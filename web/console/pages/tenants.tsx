import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import type { FilterField } from '../../staff/parts/filter_fields.ts';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Health } from './tenants/health.tsx';
import { MakeTenant } from './tenants/make.tsx';
import { TenantMark } from './tenants/tenant_mark.tsx';

const route = 'GET /portal/api/tenants';
type Tenant = ItemOf<typeof route>;

/**
 * The share of a Tenant's notices of 90 days that were forwarded as purchase disputes, in words.
 */
const shareOf = ({ total, purchase_disputes }: Tenant['notices']): string =>
  total === 0 ? 'No notices' : `${purchase_disputes} of ${total}`;

const columns: readonly Column<Tenant>[] = [
  {
    name: 'Tenant',
    show: ({ name }) => name,
  },
  {
    name: 'State',
    kind: 'state',
    show: ({ suspended_at }) => <TenantMark suspendedAt={suspended_at} />,
  },
  {
    name: 'Payments',
    kind: 'number',
    width: 96,
    align: 'right',
    show: ({ last_day }) => last_day.payments,
  },
  {
    name: 'Volume',
    kind: 'money',
    align: 'right',
    show: ({ last_day }) => <Cents value={last_day.volume} />,
  },
  { name: 'Requests', kind: 'number', align: 'right', show: ({ last_day }) => last_day.requests },
  {
    name: 'Refused',
    kind: 'number',
    priority: 3,
    align: 'right',
    show: ({ last_day }) => last_day.refused,
  },
  {
    name: 'Failed',
    kind: 'number',
    priority: 3,
    align: 'right',
    show: ({ last_day }) => last_day.failed,
  },
  {
    name: 'Purchase disputes',
    width: 150,
    priority: 3,
    align: 'right',
    show: ({ notices }) => shareOf(notices),
  },
  { name: 'Endpoint', width: 150, show: ({ endpoint }) => <Health endpoint={endpoint} /> },
  { name: 'Created', kind: 'time', show: ({ created_at }) => <When at={created_at} /> },
];

const fields: readonly FilterField[] = [
  { name: 'q', label: 'Name or id', kind: 'text', placeholder: 'A part of the name' },
  {
    name: 'status',
    label: 'State',
    kind: 'choice',
    choices: [
      { value: 'active', label: 'Active' },
      { value: 'suspended', label: 'Suspended' },
    ],
  },
];

/** Every Tenant with its last 24 hours. */
export function TenantsPage() {
  const mayMake = holds(useSession(), ['admin']);
  const list = useList<Tenant>({ name: 'tenants', fields, columns, canTurn: true, file: route });
  const pages = usePages(route, list.asked as InputOf<typeof route>);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageTitle title="Tenants" text="Every tenant with its last 24 hours.">
        {list.tools}
        {mayMake && <Button onClick={open}>New tenant</Button>}
      </PageTitle>
      {list.filters()}
      <ListTable
        label="Tenants"
        pages={pages}
        {...list.table}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/tenants/$tenantId', params: { tenantId: id } })}
        empty={<Text fw={600}>No tenants match these filters</Text>}
      />
      <Dialog title="New tenant" isOpen={isOpen} onClose={close}>
        <MakeTenant onClose={close} />
      </Dialog>
    </>
  );
}
