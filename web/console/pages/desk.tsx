import { Text } from '@mantine/core';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Due } from '../desk/due.tsx';
import { askedOfDesk, desk, deskFields } from '../desk/filters.ts';
import { Keys } from '../desk/keys.tsx';
import { TakenBy } from '../desk/taken_by.tsx';
import { reasonOf, titleOf } from '../desk/what.ts';
import { kinds } from '../desk/words.ts';
import { useTenantName } from '../tenants/links.tsx';

type Row = ItemOf<typeof desk>;

const everyMs = 15_000;
const title = 'Review desk';
const text = 'What waits for a person in all tenants, what is due first at the top.';

/** The review desk: the cases of all Tenants that wait for a person. */
export function Desk() {
  const isReviewer = holds(useSession(), ['reviewer']);
  if (isReviewer) return <Waiting />;
  return (
    <>
      <PageTitle title={title} text={text} />
      <Text>Only reviewers have a desk. An admin of the platform can make you one.</Text>
    </>
  );
}

const columns: readonly Column<Row>[] = [
  { name: 'Case', show: ({ record }) => titleOf(record), width: 220 },
  // The first of what folds: a time is never cut.
  {
    name: 'Waiting since',
    kind: 'time',
    priority: 3,
    show: ({ waiting_since }) => <When at={waiting_since} />,
  },
  { name: 'Kind', show: ({ resource }) => kinds[resource], width: 145 },
  {
    name: 'Due',
    // The whole of a deadline in another year, with the days that are left.
    width: 300,
    priority: 1,
    show: ({ due_at, late, tenant_id, resource }) => (
      <Due at={due_at} late={late} tenantId={tenant_id} isReal={resource === 'approvals'} />
    ),
  },
  {
    name: 'Amount',
    kind: 'money',
    align: 'right',
    show: ({ amount }) => amount !== null && <Cents value={amount} />,
  },
  {
    name: 'Taken by',
    kind: 'state',
    width: 115,
    show: ({ assigned_to }) => <TakenBy person={assigned_to} />,
  },
  { name: 'Tenant', show: ({ tenant_name }) => tenant_name },
  { name: 'Reason', show: ({ record }) => reasonOf(record), width: 240, priority: 3 },
];

function Waiting() {
  const list = useList<Row>({
    name: 'desk',
    fields: deskFields,
    columns,
    file: desk,
    toAsk: askedOfDesk,
  });
  const { values } = list;
  const pages = usePages(desk, list.asked as InputOf<typeof desk>, false, everyMs);
  return (
    <>
      <PageTitle title={title} text={text}>
        {list.tools}
      </PageTitle>
      {list.filters({ tenant_id: useTenantName(values.tenant_id ?? null) })}
      <ListTable
        label="Cases"
        pages={pages}
        {...list.table}
        keyOf={({ tenant_id, resource, id }) => `${tenant_id} ${resource} ${id}`}
        linkOf={({ tenant_id: tenantId, resource, id }) => ({
          to: '/case/$tenantId/$resource/$id',
          params: { tenantId, resource, id },
          search: values,
        })}
        empty={
          <>
            <Text fw={600}>
              {list.isFiltered ? 'No cases match these filters' : 'Nothing waits'}
            </Text>
            <Text size="sm" c="dimmed">
              New cases appear here by themselves.
            </Text>
          </>
        }
      />
      <Keys />
    </>
  );
}
