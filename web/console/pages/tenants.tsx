import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { given, useAddress } from '../../staff/api/address.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Health } from './tenants/health.tsx';
import { MakeTenant } from './tenants/make.tsx';
import { TenantMark } from './tenants/tenant_mark.tsx';

const list = 'GET /portal/api/tenants';
type Tenant = ItemOf<typeof list>;

/** Of the notices of 90 days, those that were forwarded as purchase disputes. */
const shareOf = ({ total, purchase_disputes }: Tenant['notices']): string =>
  total === 0 ? 'No notices' : `${purchase_disputes} of ${total}`;

const columns: readonly Column<Tenant>[] = [
  {
    name: 'Tenant',
    show: ({ id, name }) => (
      <Anchor component={Link} to="/tenants/$tenantId" params={{ tenantId: id } as never}>
        {name}
      </Anchor>
    ),
  },
  { name: 'State', show: ({ suspended_at }) => <TenantMark suspendedAt={suspended_at} /> },
  { name: 'Payments', align: 'right', show: ({ last_day }) => last_day.payments },
  { name: 'Volume', align: 'right', show: ({ last_day }) => <Cents value={last_day.volume} /> },
  { name: 'Requests', align: 'right', show: ({ last_day }) => last_day.requests },
  { name: 'Refused', align: 'right', show: ({ last_day }) => last_day.refused },
  { name: 'Failed', align: 'right', show: ({ last_day }) => last_day.failed },
  { name: 'Purchase disputes', align: 'right', show: ({ notices }) => shareOf(notices) },
  { name: 'Endpoint', show: ({ endpoint }) => <Health endpoint={endpoint} /> },
  { name: 'Created', show: ({ created_at }) => <When at={created_at} /> },
];

const states = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
];

/** Every Tenant with its last 24 hours. */
export function TenantsPage() {
  const mayMake = holds(useSession(), ['admin']);
  const [filters, set] = useAddress(['q', 'status']);
  const asked = given(filters);
  const pages = usePages(list, asked);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageTitle title="Tenants" text="Every tenant with its last 24 hours, the newest first.">
        {mayMake && <Button onClick={open}>New tenant</Button>}
      </PageTitle>
      <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters">
        <FilterText
          label="Name or id"
          placeholder="A part of the name"
          maxLength={100}
          value={filters.q}
          onChange={(q) => set({ q })}
        />
        <Select
          label="State"
          placeholder="Every state"
          clearable
          w={170}
          data={states}
          value={filters.status || null}
          onChange={(status) => set({ status: status ?? '' })}
        />
        {Object.keys(asked).length > 0 && (
          <Button variant="default" onClick={() => set({ q: '', status: '' })}>
            Show all
          </Button>
        )}
      </Group>
      <ListTable
        label="Tenants"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Text fw={600}>No such tenants</Text>}
      />
      <Dialog title="New tenant" isOpen={isOpen} onClose={close}>
        <MakeTenant onClose={close} />
      </Dialog>
    </>
  );
}
