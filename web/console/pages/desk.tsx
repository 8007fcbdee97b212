import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { given } from '../../staff/api/address.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import type { Column } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Cases } from '../desk/cases.tsx';
import { Due } from '../desk/due.tsx';
import { DeskFilters, desk, useDeskFilters } from '../desk/filters.tsx';
import { caseLink, Keys } from '../desk/keys.tsx';
import { TakenBy } from '../desk/taken_by.tsx';
import { reasonOf, titleOf } from '../desk/what.ts';
import { kinds } from '../desk/words.ts';

type Row = ItemOf<typeof desk>;

const everyMs = 15_000;

/** What waits for a person, of all Tenants. */
export function Desk() {
  const isReviewer = holds(useSession(), ['reviewer']);
  return (
    <>
      <PageTitle
        title="Review desk"
        text="What waits for a person in all tenants, what is due first at the top."
      />
      {isReviewer ? (
        <Waiting />
      ) : (
        <Text>Only reviewers have a desk. An admin of the platform can make you one.</Text>
      )}
    </>
  );
}

const columns: readonly Column<Row>[] = [
  { name: 'Case', show: (row) => <CaseLink row={row} /> },
  {
    name: 'Due',
    show: ({ due_at, late, tenant_id, resource }) => (
      <Due at={due_at} late={late} tenantId={tenant_id} isReal={resource === 'approvals'} />
    ),
  },
  {
    name: 'Amount',
    align: 'right',
    show: ({ amount }) => amount !== null && <Cents value={amount} />,
  },
  { name: 'Taken by', show: ({ assigned_to }) => <TakenBy person={assigned_to} /> },
  {
    name: 'Reason',
    show: ({ record }) => (
      <Text size="sm" truncate className="reason" title={reasonOf(record)}>
        {reasonOf(record)}
      </Text>
    ),
  },
  { name: 'Waiting since', show: ({ waiting_since }) => <When at={waiting_since} /> },
];

function CaseLink({ row }: { readonly row: Row }) {
  const { tenant_id, tenant_name, resource, id, record } = row;
  const { filters } = useDeskFilters();
  return (
    <>
      <Anchor
        component={Link}
        to="/case/$tenantId/$resource/$id"
        params={{ tenantId: tenant_id, resource, id } as never}
        search={given(filters) as never}
        size="sm"
        fw={600}
        className={caseLink}
      >
        {titleOf(record)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {kinds[resource]}, {tenant_name}
      </Text>
    </>
  );
}

function Waiting() {
  const { asked } = useDeskFilters();
  const pages = usePages(desk, asked, false, everyMs);
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <DeskFilters />
      <Cases
        pages={pages}
        columns={columns}
        keyOf={({ tenant_id, resource, id }) => `${tenant_id} ${resource} ${id}`}
        empty={
          isFiltered
            ? 'There is nothing that these filters show.'
            : 'New cases appear here by themselves.'
        }
      />
      <Keys />
    </>
  );
}
