import { useParams } from '@tanstack/react-router';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { ListTable, type PageOf } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { columnsOf, type Listed } from '../parts/record_list/columns.tsx';
import { fieldsOf } from '../parts/record_list/filters.ts';
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
  const lifecycles = useRead('GET /portal/api/lifecycles', {});
  const states = lifecycles.data?.data.find((table) => table.resource === resource)?.states ?? [];
  // Lists of records with states are read in either order, and as a file; what has files of its own has none.
  const hasStates = offered.includes('status');
  const { asked, put, isFiltered, table, tools, filters } = useList<Listed>({
    name,
    fields: fieldsOf(offered, states),
    columns: columnsOf[name],
    canTurn: hasStates,
    file: hasStates ? list.route : undefined,
  });
  const pages = usePages(route, asked as never) as never;
  // A report has no id: its day has a page.
  const linkOf = ({ id, date }: Listed): PageOf =>
    name === 'reports'
      ? { to: '/reconciliation/$date', params: { date: String(date) } }
      : { to: '/record/$id', params: { id: String(id) } };
  return (
    <>
      <PageTitle title={title} text={table.order?.isOldest ? 'Oldest first.' : 'Newest first.'}>
        {tools}
      </PageTitle>
      {filters()}
      <ListTable<Listed>
        label={title}
        pages={pages}
        {...table}
        keyOf={({ id, date }) => String(id ?? date)}
        linkOf={linkOf}
        empty={<NothingYet list={list} isFiltered={isFiltered} onClear={() => put({})} />}
      />
    </>
  );
}
