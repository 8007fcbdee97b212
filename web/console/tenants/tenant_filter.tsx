import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useId, useState } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import type { ListField } from '../../staff/parts/filter_row.tsx';
import { useTenantName } from './links.tsx';

interface TenantFilterProps {
  /** The id of a Tenant; empty: none is chosen. */
  readonly value: string;
  readonly onChange: (tenantId: string) => void;
  /** The text that stands for no Tenant. */
  readonly none?: string;
  /** Ends a choice in the row of a list's filters, where the field has no label of its own. */
  readonly onCancel?: () => void;
  /** The choices that are offered beside the Tenants. */
  readonly others?: readonly { readonly id: string; readonly name: string }[];
}

const noOthers: NonNullable<TenantFilterProps['others']> = [];

const route = 'GET /portal/api/tenants';
const pauseMs = 200;
const offered = 20;

/** One of the Tenants, found by a part of its name; empty: all of them. */
export function TenantFilter(props: TenantFilterProps) {
  const { value, onChange, none = 'All tenants', onCancel, others = noOthers } = props;
  const list = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [paused] = useDebouncedValue(typed?.trim() ?? value, pauseMs);
  const { data } = useRead(route, { limit: offered, ...(paused === '' ? {} : { q: paused }) });
  const other = others.find(({ id }) => id === value)?.name;
  const name = useTenantName(value === '' || other ? null : value);
  const shown = typed ?? other ?? name ?? value;
  const search = typed?.trim().toLowerCase() ?? '';
  const tenants = [
    ...others.filter((one) => one.name.toLowerCase().includes(search)),
    ...(data?.data ?? []),
  ];
  const [match, another] = tenants.filter(
    ({ id, name }) => name.toLowerCase() === search || id === search,
  );
  // A name that two Tenants share chooses neither. In a row of filters, a name that begins a longer
  // one waits for Enter.
  const isLonger = tenants.some(
    (one) => one !== match && one.name.toLowerCase().startsWith(search),
  );
  const one = search === '' || another ? undefined : match?.id;
  const found = onCancel && isLonger ? undefined : one;
  useEffect(() => {
    if (found === undefined) return;
    if (found !== value) onChange(found);
    else setTyped(null);
  }, [found, value, onChange]);
  const isUnknown = search !== '' && paused.toLowerCase() === search && data && !match;
  const first = tenants[0]?.name;
  return (
    <>
      <TextInput
        {...(onCancel
          ? { 'aria-label': 'Tenant', size: 'xs', autoFocus: true }
          : { label: 'Tenant' })}
        placeholder={none}
        list={list}
        maxLength={100}
        autoComplete="off"
        data-chosen={value !== '' && typed === null}
        value={shown}
        error={isUnknown && (first ? `Press Enter for ${first}` : 'No such tenant')}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={(pressed) => {
          if (pressed.key === 'Escape') onCancel?.();
          if (pressed.key === 'Enter' && onCancel && (one || shown === '')) onChange(one ?? '');
          if (pressed.key !== 'Enter' || !isUnknown || !first) return;
          pressed.preventDefault();
          setTyped(first);
        }}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          // In a row of filters the choice ends by Enter: what is there is often typed over.
          if (currentTarget.value === '' && !onCancel) onChange('');
        }}
        onBlur={() => setTyped((now) => (now === '' ? null : now))}
      />
      <datalist id={list}>
        {tenants.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The Tenant among the filters of a list, by the name of its place in the address. */
export const tenantField = (name: string, others = noOthers): ListField => ({
  name,
  label: 'Tenant',
  kind: 'text',
  picker: ({ value, onTake, onCancel }) => (
    <TenantFilter value={value} onChange={onTake} onCancel={onCancel} others={others} />
  ),
});
