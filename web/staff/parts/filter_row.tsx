import { Button, Group, Menu, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useCall } from '../api/queries.ts';
import {
  type FilterField,
  instantOf,
  localTime,
  presets,
  saidOf,
  type Values,
} from './filter_fields.ts';

export interface PickerProps {
  readonly value: string;
  readonly onTake: (value: string) => void;
  readonly onCancel: () => void;
}

export interface ListField extends FilterField {
  /** The field in place of a plain one, which finds the value by a part of its name. */
  readonly picker?: (props: PickerProps) => ReactNode;
}

interface FilterRowProps {
  readonly fields: readonly ListField[];
  readonly values: Values;
  /** The names of those values that are ids. */
  readonly said?: Readonly<Record<string, string | null | undefined>> | undefined;
  /** Changes some; an empty text takes one out. */
  readonly set: (changes: Values) => void;
}

/** The button that keys can press. */
export const addFilter = 'add-filter';

/** The filters of a list in one row: each that holds is a chip, the others wait in a menu. */
export function FilterRow({ fields, values, said, set }: FilterRowProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const active = fields.filter(({ name }) => values[name] !== undefined);
  const others = fields.filter(({ name }) => values[name] === undefined && name !== editing);
  const open = fields.find(({ name }) => name === editing);
  const from = fields.find(({ name }) => name === 'from');
  const none = Object.fromEntries(active.map(({ name }) => [name, '']));
  const take = (value: string) => {
    setEditing(null);
    if (open) set({ [open.name]: value });
  };
  return (
    <Group component="search" aria-label="Filters" gap="xs" mt="md" mb="sm" align="center">
      {from && <Presets isReal={from.isReal ?? false} set={set} />}
      {active.map((field) => (
        <Chip
          key={field.name}
          field={field}
          text={said?.[field.name] ?? saidOf(field, values[field.name] ?? '')}
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
            <Button className={addFilter} size="xs" variant="subtle">
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

interface PresetsProps extends Pick<FilterRowProps, 'set'> {
  readonly isReal: boolean;
}

/** Lengths of time up to now. A sandbox may have moved the Tenant's clock. */
function Presets({ isReal, set }: PresetsProps) {
  const call = useCall();
  const choose = async (ms: number) => {
    const now = isReal
      ? Date.now()
      : await call('GET /portal/api/clock', {}).then(
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
  readonly text: string;
  readonly onEdit: () => void;
  readonly onOut: () => void;
}

const Chip = ({ field, text, onEdit, onOut }: ChipProps) => (
  <span className="filter-chip">
    <button type="button" onClick={onEdit}>{`${field.label}: ${text}`}</button>
    <button type="button" aria-label={`Remove the filter ${field.label}`} onClick={onOut}>
      ×
    </button>
  </span>
);

interface OneFieldProps extends PickerProps {
  readonly field: ListField;
}

/** The field that was chosen: a choice is taken at once, a text or a time by Enter or its button. */
function OneField({ field, value, onTake, onCancel }: OneFieldProps) {
  const { label, kind, placeholder, choices = [], picker } = field;
  const [draft, setDraft] = useState(kind === 'time' ? localTime(value) : value);
  const send = (submitted: FormEvent) => {
    submitted.preventDefault();
    onTake(kind === 'time' ? instantOf(draft) : draft.trim());
  };
  const onKeyDown = ({ key }: { readonly key: string }) => key === 'Escape' && onCancel();
  if (picker) return picker({ value, onTake, onCancel });
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
  return (
    <form className="filter-field" onSubmit={send}>
      <TextInput
        size="xs"
        autoFocus
        type={kind === 'time' ? 'datetime-local' : 'text'}
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
