import { Button, Table } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Scrolling } from './scrolling.tsx';

interface PlainTableProps {
  /** The name of the listed things, for a screen reader. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The columns whose cells stand right. */
  readonly right?: readonly string[];
  /** A last column of buttons, whose heading nobody sees. */
  readonly hasActions?: boolean;
  readonly children: ReactNode;
}

/** Names each cell by its column, for a narrow window, where a row is a card. */
function useNamedCells(columns: readonly string[]) {
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    /** The rows for which a cell of an earlier row still stands in each column. */
    const taken = columns.map(() => 0);
    for (const row of table.current?.tBodies[0]?.rows ?? []) {
      row.role = 'row';
      const free = columns.map((_, at) => at).filter((at) => taken[at] === 0);
      for (const [at, rows] of taken.entries()) taken[at] = Math.max(0, rows - 1);
      for (const cell of row.cells) {
        const [at, ...more] = free.splice(0, cell.colSpan);
        cell.role = cell.tagName === 'TH' ? 'rowheader' : 'cell';
        cell.dataset.label = at === undefined ? '' : (columns[at] ?? '');
        for (const one of [at, ...more]) if (one !== undefined) taken[one] = cell.rowSpan - 1;
      }
    }
  });
  return table;
}

/** A short table, shown as a whole; on a narrow window its rows are cards. */
export function PlainTable({ label, columns, right, hasActions, children }: PlainTableProps) {
  const table = useNamedCells(columns);
  return (
    <Scrolling label={label}>
      <Table ref={table} className="plain-table" role="table">
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th key={name} ta={right?.includes(name) ? 'right' : 'left'}>
                {name}
              </Table.Th>
            ))}
            {hasActions && (
              <Table.Th>
                <span className="unseen">Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Scrolling>
  );
}

interface RowButtonProps {
  readonly text: string;
  /** The button's name with that of the row, for a screen reader. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly isOff?: boolean;
  /** Whether the act takes something away for good. */
  readonly isGrave?: boolean;
  readonly onClick: () => void;
}

/** The button of an act on a row. */
export const RowButton = ({ text, label, isBusy, isOff, isGrave, onClick }: RowButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    disabled={isOff ?? false}
    {...(isGrave && { className: 'is-grave' })}
    loading={isBusy}
    aria-label={label}
    onClick={onClick}
  >
    {text}
  </Button>
);
