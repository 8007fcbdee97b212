import { Button, Group, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type FilterField, instantOf, localTime, type Values, valuesIn } from './fields.ts';

interface Filters {
  readonly values: Values;
  /** Changes some in the address; an empty text takes one out. */
  readonly set: (changes: Values) => void;
  /** Other things that the address keeps, such as what is open. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** The filters of a list, which the address keeps: it can be shared, and the way back undoes one. */
export function useFilters(fields: readonly FilterField[]): Filters {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const set = (changes: Values) => {
    const left = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== '');
    void navigate({ to: '.', search: Object.fromEntries(left) as never });
  };
  return { values: valuesIn(fields, search), set, search };
}

interface FieldProps {
  readonly field: FilterField;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

/** A text, which counts once it is left or sent by Enter. */
function TextField({ field, value, onSet }: FieldProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const send = () => {
    if (draft.trim() !== value) onSet(draft.trim());
  };
  return (
    <TextInput
      label={field.label}
      placeholder={field.placeholder}
      size="xs"
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={send}
      onKeyDown={({ key }) => key === 'Enter' && send()}
    />
  );
}

const TimeField = ({ field, value, onSet }: FieldProps) => (
  <TextInput
    label={field.label}
    type="datetime-local"
    size="xs"
    value={localTime(value)}
    onChange={({ currentTarget }) => onSet(instantOf(currentTarget.value))}
  />
);

const ChoiceField = ({ field, value, onSet }: FieldProps) => (
  <Select
    label={field.label}
    placeholder={field.placeholder ?? 'Any'}
    size="xs"
    clearable
    searchable={(field.choices?.length ?? 0) > 8}
    clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
    data={[...(field.choices ?? [])]}
    value={value === '' ? null : value}
    onChange={(chosen) => onSet(chosen ?? '')}
  />
);

const kinds = { text: TextField, choice: ChoiceField, time: TimeField };

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly filters: Filters;
}

/** The fields of a list in a row, and a way to take all out. */
export function FilterBar({ fields, filters: { values, set } }: FilterBarProps) {
  const isAny = Object.keys(values).length > 0;
  return (
    <Group component="search" gap="xs" align="flex-end" mb="sm" className="filters">
      {fields.map((field) => {
        const Field = kinds[field.kind];
        return (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onSet={(value) => set({ [field.name]: value })}
          />
        );
      })}
      {isAny && (
        <Button
          size="xs"
          variant="default"
          onClick={() => set(Object.fromEntries(Object.keys(values).map((name) => [name, ''])))}
        >
          Clear all
        </Button>
      )}
    </Group>
  );
}
