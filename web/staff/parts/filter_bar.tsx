import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { given } from '../api/address.ts';
import { FilterText } from './filter_text.tsx';

interface FilterBarProps<Name extends string> {
  readonly filters: Readonly<Record<Name | 'from' | 'to', string>>;
  readonly set: (change: Partial<Record<Name | 'from' | 'to', string>>) => void;
  /** Those that only this list has. */
  readonly children: ReactNode;
}

/** The filters of a list: its own, the days, and a way back to all of it. */
export function FilterBar<Name extends string>({ filters, set, children }: FilterBarProps<Name>) {
  const change = (name: string) => (value: string) =>
    set({ [name]: value } as Partial<typeof filters>);
  const none = () =>
    set(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])) as typeof filters);
  return (
    <Group gap="sm" align="flex-end" my="md" role="search" aria-label="Filters">
      {children}
      <FilterText label="From" type="date" value={filters.from} onChange={change('from')} />
      <FilterText label="To" type="date" value={filters.to} onChange={change('to')} />
      {Object.keys(given(filters)).length > 0 && (
        <Button variant="default" onClick={none}>
          Show all
        </Button>
      )}
    </Group>
  );
}
