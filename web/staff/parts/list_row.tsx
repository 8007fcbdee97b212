import { Anchor, Table, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CardOf, ColumnFacts, Placed } from './list_columns.ts';

export interface Column<Item> extends ColumnFacts {
  readonly show: (item: Item) => ReactNode;
}

/** An address inside the application, as the router has it. */
export interface PageOf {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: object;
}

export interface Opens<Item> {
  /** Opens an item beside the list; one that has an address of its own has `linkOf` instead. */
  readonly onOpen?: ((item: Item) => void) | undefined;
  /** The address of an item: its whole row is a link there. */
  readonly linkOf?: ((item: Item) => PageOf) | undefined;
}

/** Rows that can be chosen, for what is done to several at once. */
export interface Choice<Item> {
  readonly isChosen: (item: Item) => boolean;
  readonly onChoose: (item: Item, isChosen: boolean) => void;
  /** The row's name, for a screen reader. */
  readonly nameOf: (item: Item) => string;
}

interface BoxProps<Item> {
  readonly item: Item;
  readonly choice: Choice<Item>;
}

const Box = <Item,>({ item, choice }: BoxProps<Item>) => (
  <input
    type="checkbox"
    className="row-box"
    aria-label={`Choose ${choice.nameOf(item)}`}
    checked={choice.isChosen(item)}
    onChange={({ currentTarget }) => choice.onChoose(item, currentTarget.checked)}
  />
);

interface PartProps<Item> extends Opens<Item> {
  readonly item: Item;
  /** Among all rows, from 1 on. */
  readonly place: number;
  readonly height: number;
  readonly choice?: Choice<Item> | undefined;
}

interface NamedProps<Item> extends Opens<Item> {
  readonly item: Item;
  readonly children: ReactNode;
}

/** The name of a row: what it opens covers the whole row. */
function Named<Item>({ item, onOpen, linkOf, children }: NamedProps<Item>) {
  if (linkOf)
    return (
      <Anchor
        component={Link}
        resetScroll={false}
        {...(linkOf(item) as object)}
        size="sm"
        className="row-link"
      >
        {children}
      </Anchor>
    );
  if (!onOpen) return children;
  return (
    <UnstyledButton className="row-link" fz="sm" onClick={() => onOpen(item)}>
      {children}
    </UnstyledButton>
  );
}

/** A fact with its name before it; nothing where there is none. */
function Fact<Item>({ item, column }: { readonly item: Item; readonly column: Column<Item> }) {
  const value = column.show(item);
  if (value === '' || value === null || value === undefined || value === false) return null;
  return (
    <span className="fact">
      <span className="fact-name">{column.name}</span> {value}
    </span>
  );
}

interface RowProps<Item> extends PartProps<Item> {
  readonly columns: Placed<Column<Item>>;
}

export function Row<Item>({
  item,
  place,
  height,
  columns,
  choice,
  onOpen,
  linkOf,
}: RowProps<Item>) {
  const { shown, folded } = columns;
  return (
    <Table.Tr
      aria-rowindex={place}
      className={linkOf || onOpen ? 'list-row' : undefined}
      style={{ height }}
    >
      {choice && (
        <Table.Td>
          <Box item={item} choice={choice} />
        </Table.Td>
      )}
      {shown.map(({ name, show, align, kind }, at) => (
        <Table.Td key={name} ta={align ?? 'left'} className={kind === 'time' ? 'is-whole' : ''}>
          {at > 0 ? (
            show(item)
          ) : (
            <Named item={item} onOpen={onOpen} linkOf={linkOf}>
              {show(item)}
            </Named>
          )}
          {at === 0 && folded.length > 0 && (
            <div className="folded">
              {folded.map((column) => (
                <Fact key={column.name} item={item} column={column} />
              ))}
            </div>
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

interface CardProps<Item> extends PartProps<Item> {
  readonly card: CardOf<Column<Item>>;
}

/** A row on a narrow window: every fact, and nothing to scroll sideways for. Its roles outlive the layout. */
export function Card<Item>({ item, place, height, card, choice, onOpen, linkOf }: CardProps<Item>) {
  const { title, amount, state, time, long, short } = card;
  return (
    <Table.Tr
      role="row"
      aria-rowindex={place}
      className={linkOf || onOpen ? 'list-card list-row' : 'list-card'}
      style={{ height }}
    >
      <Table.Td role="cell" className="card-title">
        {choice && <Box item={item} choice={choice} />}
        <Named item={item} onOpen={onOpen} linkOf={linkOf}>
          {title?.show(item)}
        </Named>
      </Table.Td>
      {amount && (
        <Table.Td role="cell" className="card-amount">
          {amount.show(item)}
        </Table.Td>
      )}
      {state && (
        <Table.Td role="cell" className="card-state">
          {state.show(item)}
        </Table.Td>
      )}
      {time && (
        <Table.Td role="cell" className="card-time">
          {time.show(item)}
        </Table.Td>
      )}
      {[...long, ...short].map((column) => (
        <Table.Td
          key={column.name}
          role="cell"
          className={long.includes(column) ? 'is-long' : undefined}
        >
          <Fact item={item} column={column} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
