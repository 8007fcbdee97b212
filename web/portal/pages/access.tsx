import { Text } from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '../../staff/api/call.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Only } from '../../staff/audit/act.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { type FilterField, realTimes } from '../../staff/parts/filter_fields.ts';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';

type Access = ItemOf<'GET /portal/api/access-records'>;

const whoOf = ({ email, person_id }: Access): string => email ?? person_id;

/** Staff are somebody else's people: they stand out. */
const ActedAs = ({ access: { acted_as } }: { readonly access: Access }) => (
  <Mark
    tone={acted_as === 'staff' ? 'warning' : 'plain'}
    text={acted_as === 'staff' ? 'platform staff' : 'member'}
  />
);

const ByKey = ({ id }: { readonly id: string }) => (
  <>
    API key <ShortId id={id} />
  </>
);

const columns: readonly Column<Access>[] = [
  { name: 'Person', show: whoOf },
  { name: 'As', kind: 'state', show: (access) => <ActedAs access={access} /> },
  { name: 'Read', show: ({ kind }) => inWords(kind) },
  { name: 'Record', show: ({ record }) => <RecordLink id={record} isBare /> },
  { name: 'At', kind: 'time', show: ({ at }) => <When at={at} /> },
];

const fields: readonly FilterField[] = [
  { name: 'person_id', label: 'Person', kind: 'text', placeholder: 'Id of a person' },
  { name: 'record', label: 'Record', kind: 'text', placeholder: 'Any id' },
  {
    name: 'acted_as',
    label: 'As',
    kind: 'choice',
    choices: [
      { value: 'staff', label: 'Platform staff' },
      { value: 'member', label: 'Member' },
    ],
  },
  ...realTimes,
];

const route = 'GET /portal/api/access-records';

/** The readings of personal data: one row for each person, record and hour. */
export function AccessRecords() {
  const list = useList<Access>({ name: 'access', fields, columns });
  const pages = usePages(route, list.asked as InputOf<typeof route>);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const person = rows.find(({ person_id }) => person_id === list.values.person_id);
  const [open, setOpen] = useState<Access | null>(null);
  const only = (person_id: string) => {
    list.set({ person_id });
    setOpen(null);
  };
  return (
    <>
      <PageTitle
        title="Access"
        text="Who read cases, records, letters and files with personal data, also of the platform's staff."
      >
        {list.tools}
      </PageTitle>
      {list.filters({ person_id: person && whoOf(person) })}
      <ListTable
        label="Access records"
        pages={pages}
        {...list.table}
        keyOf={({ id }) => id}
        onOpen={setOpen}
        empty={
          <Text fw={600}>
            {list.isFiltered
              ? 'No access records match these filters'
              : 'Nobody has read personal data yet'}
          </Text>
        }
      />
      <Detail title={open && `${inWords(open.kind)}, read`} onClose={() => setOpen(null)}>
        {open && (
          <Facts
            rows={[
              ['Person', whoOf(open)],
              ['Id of the person', <ShortId key="person" id={open.person_id} />],
              ['As', <ActedAs key="as" access={open} />],
              ['By', open.api_key_id ? <ByKey key="by" id={open.api_key_id} /> : 'Session'],
              ['Record', <RecordLink key="record" id={open.record} />],
              ['At', <When key="at" at={open.at} />],
              ['Address', open.address ?? 'Unknown'],
              [
                'Request',
                open.request_id ? <RecordLink key="request" id={open.request_id} /> : 'Unknown',
              ],
            ]}
          />
        )}
        {open && <Only text="Only by the same" onClick={() => only(open.person_id)} />}
      </Detail>
    </>
  );
}
