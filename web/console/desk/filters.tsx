import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { given, useAddress } from '../../staff/api/address.ts';
import type { InputOf } from '../../staff/api/call.ts';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { kinds } from './words.ts';

export const desk = 'GET /portal/api/desk';
const names = ['tenant_id', 'tenant', 'resource', 'assigned', 'late'] as const;

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
  ['nobody', 'Unassigned'],
  ['others', 'Taken by others'],
] as const;

/** The field that a key brings the focus to. */
export const firstFilter = 'desk-tenant';

/** Narrows the desk to a Tenant, a kind, who has taken it, or what is late. */
export function DeskFilters() {
  const { filters, set, asked } = useDeskFilters();
  const none = () => set({ tenant_id: '', tenant: '', resource: '', assigned: '', late: '' });
  return (
    <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters" className="filters">
      <FilterText
        id={firstFilter}
        label="Tenant"
        placeholder="All: a part of a name"
        maxLength={100}
        // A link of one Tenant has its id.
        value={filters.tenant || filters.tenant_id}
        onChange={(tenant) => set({ tenant, tenant_id: '' })}
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
