import { Button, Group, Menu, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useCall } from '../api/queries.ts';
import {
  type FilterField,
  instantOf,
  localTime,
  presets,
  saidOf,
  type Values,
} from './filter_fields.ts';

interface FilterRowProps {
  readonly fields: readonly FilterField[];
  readonly values: Values;
  /** Changes some; an empty text takes one out. */
  readonly set: (changes: Values) => void;
}

/** The filters of a list in one row: each that holds is a chip, the others wait in a menu. */
export function FilterRow({ fields, values, set }: FilterRowProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const active = fields.filter(({ name }) => values[name] !== undefined);
  const others = fields.filter(({ name }) => values[name] === undefined && name !== editing);
  const open = fields.find(({ name }) => name === editing);
  const none = Object.fromEntries(active.map(({ name }) => [name, '']));
  const take = (value: string) => {
    setEditing(null);
    if (open) set({ [open.name]: value });
  };
  return (
    <Group component="search" aria-label="Filters" gap="xs" mb="sm" align="center">
      {fields.some(({ name }) => name === 'from') && <Presets set={set} />}
      {active.map((field) => (
        <Chip
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onEdit={() => setEditing(field.name)}
          onOut={() => set({ [field.name]: '' })}
        />
      ))}
      {open && (
        <OneField
          key={open.name}
          field={open}
          value={values[open.name] ?? ''}
          onTake={take}
          onCancel={() => setEditing(null)}
        />
      )}
      {others.length > 0 && (
        <Menu position="bottom-start" returnFocus={false}>
          <Menu.Target>
            <Button size="xs" variant="subtle">
              + Add filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setEditing(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {active.length > 1 && (
        <Button size="xs" variant="subtle" onClick={() => set(none)}>
          Clear all
        </Button>
      )}
    </Group>
  );
}

/** Lengths of time up to now, by the Tenant's clock: a sandbox may have moved it. */
function Presets({ set }: Pick<FilterRowProps, 'set'>) {
  const call = useCall();
  const choose = async (ms: number) => {
    const now = await call('GET /portal/api/clock', {}).then(
      (clock) => Date.parse(clock.now),
      () => Date.now(),
    );
    set({ from: new Date(now - ms).toISOString(), to: '' });
  };
  return presets.map(({ label, ms }) => (
    <Button key={label} size="xs" variant="default" onClick={() => void choose(ms)}>
      {label}
    </Button>
  ));
}

interface ChipProps {
  readonly field: FilterField;
  readonly value: string;
  readonly onEdit: () => void;
  readonly onOut: () => void;
}

const Chip = ({ field, value, onEdit, onOut }: ChipProps) => (
  <span className="filter-chip">
    <button type="button" onClick={onEdit}>{`${field.label}: ${saidOf(field, value)}`}</button>
    <button type="button" aria-label={`Remove the filter ${field.label}`} onClick={onOut}>
      ×
    </button>
  </span>
);

interface OneFieldProps {
  readonly field: FilterField;
  readonly value: string;
  readonly onTake: (value: string) => void;
  readonly onCancel: () => void;
}

/** The field that was chosen: a choice is taken at once, a text or a time by Enter or its button. */
function OneField({ field, value, onTake, onCancel }: OneFieldProps) {
  const { label, kind, placeholder, choices = [] } = field;
  const [draft, setDraft] = useState(kind === 'time' ? localTime(value) : value);
  const send = (submitted: FormEvent) => {
    submitted.preventDefault();
    onTake(kind === 'time' ? instantOf(draft) : draft.trim());
  };
  const onKeyDown = ({ key }: { readonly key: string }) => key === 'Escape' && onCancel();
  if (kind === 'choice')
    return (
      <NativeSelect
        size="xs"
        autoFocus
        aria-label={label}
        value={value}
        data={[{ value: '', label: placeholder ?? label }, ...choices]}
        onChange={({ currentTarget }) => onTake(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    );
  const type = { text: 'text', time: 'datetime-local', day: 'date' }[kind];
  return (
    <form className="filter-field" onSubmit={send}>
      <TextInput
        size="xs"
        autoFocus
        type={type}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button size="xs" type="submit">
        Apply
      </Button>
    </form>
  );
}
