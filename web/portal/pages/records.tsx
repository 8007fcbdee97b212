import { useParams } from '@tanstack/react-router';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { ListTable, type PageOf } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { columnsOf, type Listed } from '../parts/record_list/columns.tsx';
import { FilterBar, queryOf, useFilters } from '../parts/record_list/filters.tsx';
import {
  isListName,
  type ListName,
  type RecordList,
  recordLists,
} from '../parts/record_list/lists.ts';
import { NothingYet } from '../parts/record_list/nothing_yet.tsx';

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
  return (
    <>
      <PageTitle title={title} text="Newest first." />
      <FilterBar offered={offered} states={states} {...filtering} />
      <ListTable<Listed>
        label={title}
        pages={pages}
        columns={columnsOf[name]}
        keyOf={({ id, date }) => String(id ?? date)}
        linkOf={linkOf}
        empty={
          <NothingYet list={list} isFiltered={filtering.isFiltered} onClear={filtering.clear} />
        }
      />
    </>
  );
}
