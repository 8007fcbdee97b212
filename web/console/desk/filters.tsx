import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { given, useAddress } from '../../portal/api/address.ts';
import type { InputOf } from '../../portal/api/call.ts';
import { usePages } from '../../portal/api/queries.ts';
import { kinds } from './words.ts';

export const desk = 'GET /portal/api/desk';
const names = ['tenant_id', 'resource', 'assigned', 'late'] as const;

/** What the desk shows, as the address keeps it; a case keeps it for the way back and to the next one. */
export function useDeskFilters() {
  const [filters, set] = useAddress(names);
  const { late, ...rest } = filters;
  const asked = { ...given(rest), ...(late !== '' && { late: true }) };
  return { filters, set, asked: asked as InputOf<typeof desk> };
}

const offered = (all: string, rest: Iterable<readonly [string, string]>) => [
  { value: '', label: all },
  ...[...rest].map(([value, label]) => ({ value, label })),
];

const takers = [
  ['me', 'Taken by me'],
  ['nobody', 'Taken by nobody'],
  ['others', 'Taken by others'],
] as const;

/** The field that a key brings the focus to. */
export const firstFilter = 'desk-tenant';

/** Narrows the desk to a Tenant, a kind, who has taken it, or what is late. */
export function DeskFilters() {
  const { filters, set, asked } = useDeskFilters();
  const all = usePages(desk, {}).data?.pages.flatMap(({ data }) => data) ?? [];
  const tenants = new Map(all.map(({ tenant_id, tenant_name }) => [tenant_id, tenant_name]));
  const { tenant_id } = filters;
  if (tenant_id !== '' && !tenants.has(tenant_id)) tenants.set(tenant_id, tenant_id);
  const none = () => set({ tenant_id: '', resource: '', assigned: '', late: '' });
  return (
    <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters" className="filters">
      <NativeSelect
        id={firstFilter}
        label="Tenant"
        value={tenant_id}
        data={offered('All tenants', tenants)}
        onChange={({ currentTarget }) => set({ tenant_id: currentTarget.value })}
      />
      <NativeSelect
        label="Kind"
        value={filters.resource}
        data={offered('All kinds', Object.entries(kinds))}
        onChange={({ currentTarget }) => set({ resource: currentTarget.value })}
      />
      <NativeSelect
        label="Taken by"
        value={filters.assigned}
        data={offered('All cases', takers)}
        onChange={({ currentTarget }) => set({ assigned: currentTarget.value })}
      />
      <Checkbox
        label="Late only"
        pb={8}
        checked={filters.late !== ''}
        onChange={({ currentTarget }) => set({ late: currentTarget.checked ? 'yes' : '' })}
      />
      {Object.keys(asked).length > 0 && (
        <Button variant="default" onClick={none}>
          Show all
        </Button>
      )}
    </Group>
  );
}
