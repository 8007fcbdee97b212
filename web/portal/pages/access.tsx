import { Text } from '@mantine/core';
import { useState } from 'react';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import { type ItemOf, usePages } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
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
  { name: 'Record', show: ({ record }) => <RecordLink id={record} /> },
  { name: 'At', kind: 'time', show: ({ at }) => <When at={at} /> },
];

const names = ['person_id', 'record', 'from', 'to'] as const;

/** Who read personal data: once for each person, record and hour. */
export function AccessRecords() {
  const [filters, set] = useAddress(names);
  const asked = askedOf(filters);
  const pages = usePages('GET /portal/api/access-records', asked);
  const [open, setOpen] = useState<Access | null>(null);
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <PageTitle
        title="Access"
        text="Who read cases, records, letters and files with personal data, also of the platform's staff."
      />
      <FilterBar filters={filters} set={set}>
        <FilterText
          label="Person"
          placeholder="Id of a person"
          value={filters.person_id}
          onChange={(person_id) => set({ person_id })}
        />
        <FilterText
          label="Record"
          placeholder="Any id"
          value={filters.record}
          onChange={(record) => set({ record })}
        />
      </FilterBar>
      <ListTable
        label="Access records"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={setOpen}
        empty={<Text fw={600}>{isFiltered ? 'No such access' : 'Nobody has read any yet'}</Text>}
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
      </Detail>
    </>
  );
}
