import { type ReactElement, useMemo } from 'react';
import { askedOf, type FilterField, type Values } from './filter_fields.ts';
import { FilterRow, type ListField } from './filter_row.tsx';
import { useKept } from './kept.ts';
import { type ListFilters, useFilters } from './list_filters.ts';
import type { Column, ListOrder } from './list_table.tsx';
import { ListTools } from './list_tools.tsx';

interface ListOptions<Item> {
  /** The name under which the list's views and its choice of columns are kept. */
  readonly name: string;
  readonly fields: readonly ListField[];
  readonly columns: readonly Column<Item>[];
  /** Fields that the row offers; absent: all of them. */
  readonly offers?: (field: FilterField, values: Values) => boolean;
  /** Whether the list can be turned around. */
  readonly canTurn?: boolean;
  /** The address that the list is read from, where that gives it as a file too. */
  readonly file?: `GET /portal/api/${string}` | undefined;
  /** Turns the address's filters into those of the service, where they differ. */
  readonly toAsk?: (values: Values) => Values;
}

interface List<Item> extends ListFilters {
  /** The filters as the service takes them. */
  readonly asked: Values;
  readonly isFiltered: boolean;
  /**
   * The table's own properties: the columns that are not hidden, its order, and whether a filter
   * holds.
   */
  readonly table: {
    readonly columns: readonly Column<Item>[];
    readonly order: ListOrder | undefined;
    readonly isFiltered: boolean;
  };
  /** Views, columns and file, for the title of the page. */
  readonly tools: ReactElement;
  /** Makes the row of filters. @param said the names of values that are ids */
  readonly filters: (said?: Readonly<Record<string, string | null | undefined>>) => ReactElement;
}

const noColumns: readonly string[] = [];
const turned: FilterField = { name: 'order', label: 'Order', kind: 'text' };

/**
 * Gives a list the parts that every list has: filters in the address, order, choice of columns,
 * views and file.
 */
export function useList<Item>(options: ListOptions<Item>): List<Item> {
  const { name, fields, columns: all, offers, canTurn = false, file, toAsk } = options;
  const filtering = useFilters(canTurn ? [...fields, turned] : fields);
  const { values, set, put } = filtering;
  const { order: given, ...held } = values;
  const [hidden, hide] = useKept<readonly string[]>(`columns of ${name}`, noColumns);
  const columns = useMemo(() => all.filter((one) => !hidden.includes(one.name)), [all, hidden]);
  const isOldest = canTurn && given === 'oldest';
  const order = canTurn
    ? { isOldest, onTurn: () => set({ order: isOldest ? '' : 'oldest' }) }
    : undefined;
  const isFiltered = Object.keys(held).length > 0;
  const wanted = { ...askedOf(held), ...(isOldest && { order: 'oldest' }) };
  const asked = toAsk ? toAsk(wanted) : wanted;
  const offered = offers ? fields.filter((field) => offers(field, held)) : fields;
  const query = new URLSearchParams({ ...asked, format: 'csv' });
  return {
    ...filtering,
    values: held,
    asked,
    isFiltered,
    table: { columns, order, isFiltered },
    tools: (
      <ListTools
        list={name}
        columns={all.slice(1).map((column) => column.name)}
        hidden={hidden}
        onHide={hide}
        filters={values}
        onFilters={put}
        file={file === undefined ? null : `${file.replace('GET ', '')}?${query}`}
        turn={order}
      />
    ),
    filters: (said) => <FilterRow fields={offered} values={held} said={said} set={set} />,
  };
}
