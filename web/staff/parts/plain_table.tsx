import { Button, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Scrolling } from './scrolling.tsx';

interface PlainTableProps {
  /** What the table lists, for a screen reader. */
  readonly label: string;
  readonly columns: readonly string[];
  /** Those whose cells stand right. */
  readonly right?: readonly string[];
  /** A last column of buttons, whose heading nobody sees. */
  readonly hasActions?: boolean;
  /** The rows. */
  readonly children: ReactNode;
}

/** A short table, shown as a whole; it scrolls by itself on a narrow window. */
export const PlainTable = ({ label, columns, right, hasActions, children }: PlainTableProps) => (
  <Scrolling label={label}>
    <Table>
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

interface RowButtonProps {
  readonly text: string;
  /** With the name of the row, for a screen reader. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

/** What can be done to a row. */
export const RowButton = ({ text, label, isBusy, isOff = false, onClick }: RowButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    disabled={isOff}
    loading={isBusy}
    aria-label={label}
    onClick={onClick}
  >
    {text}
  </Button>
);
