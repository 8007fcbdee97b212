import { Table, Text } from '@mantine/core';
import { type Field, isId } from '@tenant-payments/contract/core/fields/field.ts';
import { type NameOf, valueWords } from '@tenant-payments/contract/core/fields/values.ts';
import type { ReactNode } from 'react';
import { PlainTable } from './plain_table.tsx';
import { ShortId } from './short_id.tsx';
import { StateBadge } from './state_badge.tsx';
import { When } from './when.tsx';

interface ValueProps {
  readonly field: Field;
  readonly value: unknown;
  readonly nameOf?: NameOf | undefined;
  /** Shows a record by its id; absent: the short id, which can be copied. */
  readonly showRecord?: ((id: string) => ReactNode) | undefined;
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of a field as people read it (rules/portal#15). */
export function Value({ field, value, nameOf, showRecord }: ValueProps) {
  if (typeof value === 'string') {
    if (instant.test(value)) return <When at={value} />;
    if (isId(value) && field.kind !== 'person' && !nameOf?.(value))
      return showRecord ? showRecord(value) : <ShortId id={value} />;
    if (field.kind === 'state') return <StateBadge state={value} />;
  }
  const words = valueWords(field, value, nameOf);
  return typeof value === 'number' ? <span className="figures">{words}</span> : words;
}

/** A field that changes. */
export interface ChangedField {
  readonly key: string;
  readonly field: Field;
  readonly before: unknown;
  readonly after: unknown;
}

interface ChangeTableProps extends Pick<ValueProps, 'nameOf' | 'showRecord'> {
  /** The table's name for a screen reader; tables of one page differ in it. */
  readonly label: string;
  readonly changes: readonly ChangedField[];
}

/** Fields with their values before and after. */
export const ChangeTable = ({ label, changes, ...shows }: ChangeTableProps) =>
  changes.length > 0 && (
    <PlainTable label={label} columns={['What changes', 'Before', 'After']}>
      {changes.map(({ key, field, before, after }) => (
        <Table.Tr key={key}>
          <Table.Td>{field.label}</Table.Td>
          {[before, after].map((value, at) => (
            <Table.Td key={String(at)} className={field.kind === 'exact' ? 'letters' : undefined}>
              {value === null || value === undefined ? (
                <Text component="span" inherit c="dimmed">
                  {field.none ?? 'Not set'}
                </Text>
              ) : (
                <Value field={field} value={value} {...shows} />
              )}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </PlainTable>
  );
