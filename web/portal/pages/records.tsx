import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePages, useRead } from '../../staff/api/queries.ts';
import type { Values } from '../../staff/parts/filter_fields.ts';
import { FilterRow } from '../../staff/parts/filter_row.tsx';
import { useKept } from '../../staff/parts/kept.ts';
import { ListTable, type PageOf } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { columnsOf, type Listed, type ListedColumn } from '../parts/record_list/columns.tsx';
import { type Filters, fieldsOf, queryOf, useFilters } from '../parts/record_list/filters.ts';
import { ListTools } from '../parts/record_list/list_tools.tsx';
import {
  isListName,
  type ListName,
  type RecordList,
  recordLists,
} from '../parts/record_list/lists.ts';
import { NothingYet } from '../parts/record_list/nothing_yet.tsx';

const noColumns: readonly string[] = [];

/** Lists of records with states are read in either order, and as a file. */
const hasStates = ({ filters }: RecordList): boolean => filters.includes('status');

/** The list as it is filtered, as a file; what has files of its own has none. */
function fileOf(list: RecordList, held: Filters): string | null {
  if (!hasStates(list)) return null;
  const query = new URLSearchParams({ ...queryOf(held), format: 'csv' } as Record<string, string>);
  return `${list.route.replace('GET ', '')}?${query}`;
}

/** All records of one kind, newest first. */
export function Records() {
  const { kind = '' } = useParams({ strict: false }) as { readonly kind?: string };
  if (!isListName(kind))
    return <PageTitle title="Not found" text="There is no list of that name." />;
  return <AllOf key={kind} name={kind} />;
}

function AllOf({ name }: { readonly name: ListName }) {
  const { route } = recordLists[name];
  const list: RecordList = recordLists[name];
  const { title, resource, filters: offered } = list;
  const filtering = useFilters();
  const lifecycles = useRead('GET /portal/api/lifecycles', {});
  const pages = usePages(route, queryOf(filtering.filters) as never) as never;
  const states = lifecycles.data?.data.find((table) => table.resource === resource)?.states ?? [];
  // A report has no id: its day has a page.
  const linkOf = ({ id, date }: Listed): PageOf =>
    name === 'reports'
      ? { to: '/reconciliation/$date', params: { date: String(date) } }
      : { to: '/record/$id', params: { id: String(id) } };
  const [hidden, hide] = useKept<readonly string[]>(`columns of ${name}`, noColumns);
  const all: readonly ListedColumn[] = columnsOf[name];
  const columns = useMemo(() => all.filter((one) => !hidden.includes(one.name)), [all, hidden]);
  const isOldest = filtering.filters.order === 'oldest';
  const turn = () => filtering.set({ order: isOldest ? undefined : 'oldest' });
  return (
    <>
      <PageTitle title={title} text={isOldest ? 'Oldest first.' : 'Newest first.'}>
        <ListTools
          list={name}
          columns={all.slice(1).map((column) => column.name)}
          hidden={hidden}
          onHide={hide}
          filters={filtering.filters as Values}
          onFilters={filtering.put}
          file={fileOf(list, filtering.filters)}
          turn={hasStates(list) ? { isOldest, onTurn: turn } : undefined}
        />
      </PageTitle>
      <FilterRow
        fields={fieldsOf(offered, states)}
        values={filtering.filters as Values}
        set={filtering.set}
      />
      <ListTable<Listed>
        label={title}
        pages={pages}
        columns={columns}
        keyOf={({ id, date }) => String(id ?? date)}
        linkOf={linkOf}
        order={hasStates(list) ? { isOldest, onTurn: turn } : undefined}
        empty={
          <NothingYet list={list} isFiltered={filtering.isFiltered} onClear={filtering.clear} />
        }
      />
    </>
  );
}
