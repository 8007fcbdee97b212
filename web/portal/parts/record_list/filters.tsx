import { Button, Group, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Filter } from './lists.ts';

/** As the address has them; days are the reader's own. */
export interface Filters {
  readonly status?: string;
  readonly customer_id?: string;
  readonly from?: string;
  readonly to?: string;
}

const names = ['status', 'customer_id', 'from', 'to'] as const;
const day = /^\d{4}-\d\d-\d\d$/;

const text = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The beginning of a day where the reader is, or of one so many days later. */
function instantOf(given: string | undefined, later = 0): string | undefined {
  if (given === undefined || !day.test(given)) return undefined;
  const date = new Date(`${given}T00:00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What the service is asked for; the last day is a whole one. */
export const queryOf = ({ status, customer_id, from, to }: Filters) => {
  const query = { status, customer_id, from: instantOf(from), to: instantOf(to, 1) };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
};

/** The filters of a list, which its address keeps. */
export function useFilters() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = text(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Filters;
  const set = (changed: Partial<Record<keyof Filters, string | undefined>>) => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => text(value));
    void navigate({ to: '.', search: Object.fromEntries(next) as never });
  };
  const clear = () => void navigate({ to: '.', search: {} as never });
  return { filters, set, clear, isFiltered: Object.keys(filters).length > 0 };
}

interface FilterBarProps extends ReturnType<typeof useFilters> {
  readonly offered: readonly Filter[];
  readonly states: readonly string[];
}

/** One row of filters above a list. */
export function FilterBar({ offered, states, filters, set, clear, isFiltered }: FilterBarProps) {
  return (
    <Group gap="xs" align="flex-end" mb="md" role="search" aria-label="Filters">
      {offered.includes('status') && (
        <Select
          label="State"
          size="xs"
          w={190}
          placeholder="Every state"
          clearable
          value={filters.status ?? null}
          data={states.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          onChange={(status) => set({ status: status ?? undefined })}
        />
      )}
      {offered.includes('customer') && (
        <CustomerField
          value={filters.customer_id ?? ''}
          onSet={(customer_id) => set({ customer_id })}
        />
      )}
      {offered.includes('times') && (
        <>
          <DayField label="From" value={filters.from} onSet={(from) => set({ from })} />
          <DayField label="To" value={filters.to} onSet={(to) => set({ to })} />
        </>
      )}
      {isFiltered && (
        <Button size="xs" variant="default" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** An id is whole or nothing, so it is taken when it has been entered. */
function CustomerField({ value, onSet }: { value: string; onSet: (id: string) => void }) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onSet(draft);
      }}
    >
      <TextInput
        label="Customer"
        size="xs"
        w={190}
        placeholder="cus_…"
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={() => draft !== value && onSet(draft)}
      />
    </form>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onSet: (day: string) => void;
}

const DayField = ({ label, value = '', onSet }: DayFieldProps) => (
  <TextInput
    type="date"
    label={label}
    size="xs"
    w={140}
    value={value}
    onChange={({ currentTarget }) => onSet(currentTarget.value)}
  />
);
