import { NativeSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { actGroups, actWords } from '@tenant-payments/contract/core/fields/acts.ts';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { useState } from 'react';
import type { InputOf } from '../api/call.ts';
import { useRead } from '../api/queries.ts';

const people = 'GET /portal/api/audit/people';
export type AuditScope = NonNullable<InputOf<typeof people>['scope']>;

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** `review` finds every move of a reviewer. */
const anyMove = { value: 'review', label: 'Any move of a reviewer' };
const groups = actGroups.map(([group, acts]) => ({
  group,
  items: [
    ...(Object.hasOwn(acts, anyMove.value) ? [anyMove] : []),
    ...Object.entries(acts)
      .filter(([value]) => value !== anyMove.value)
      .map(([value, label]) => ({ value, label }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
  ],
}));
const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)));

/** Every act in words, in groups. */
export const ActFilter = ({ value, onChange }: FilterProps) => (
  <NativeSelect
    label="Act"
    value={value}
    error={value !== '' && !known.has(value) && `No act is called “${value}”`}
    data={[
      { value: '', label: 'Every act' },
      ...groups,
      ...(value === '' || known.has(value) ? [] : [{ value, label: actWords(value) }]),
    ]}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

interface PersonProps extends FilterProps {
  readonly scope: AuditScope;
  /** How the list calls whom the address names by id. */
  readonly nameOf: (id: string) => string | null;
}

/** Whoever has acted, found by a part of the name or address. */
export function PersonFilter({ value, onChange, scope, nameOf }: PersonProps) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 200);
  const { data, isFetching } = useRead(people, { scope, ...(asked !== '' && { q: asked }) });
  const found = (data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
  const isListed = value === '' || found.some((one) => one.value === value);
  const held = { value, label: nameOf(value) ?? shortened(value) };
  const isWaiting = isFetching || asked !== typed.trim();
  return (
    <Select
      label="By"
      placeholder="Name or e-mail"
      searchable
      clearable
      w={260}
      value={value === '' ? null : value}
      data={isListed ? found : [held, ...found]}
      // The service has found them: it knows parts that the label does not show in order.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isWaiting ? 'Searching …' : `No person is called “${typed.trim()}”`}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}

interface NoneProps {
  readonly record: string;
  readonly act: string;
  readonly by: string | null;
  readonly isNarrowed: boolean;
}

/** Why a filtered list shows nothing, by the filters that are set. */
export function noneWords({ record, act, by, isNarrowed }: NoneProps): string {
  const parts = [
    ...(act === '' ? [] : [`“${act === anyMove.value ? anyMove.label : actWords(act)}”`]),
    ...(by === null ? [] : [`by ${by}`]),
    ...(record === '' ? [] : [`on a record whose id begins with ${record}`]),
  ];
  if (parts.length > 0) return `No act ${parts.join(' ')}${isNarrowed ? ' in this time' : ''}`;
  return isNarrowed ? 'No act in this time' : 'Nothing was done yet';
}
