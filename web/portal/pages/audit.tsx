import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { type Act, ActFacts, type NameActor, nameActors, Outcome } from '../../staff/parts/act.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { When } from '../../staff/parts/when.tsx';

const useActors = (): NameActor =>
  nameActors(useRead('GET /portal/api/members', {}).data?.data ?? []);

const columnsBy = (actorOf: NameActor): readonly Column<Act>[] => [
  { name: 'Act', show: ({ act }) => act },
  { name: 'Outcome', kind: 'state', show: (act) => <Outcome act={act} /> },
  { name: 'By', show: actorOf },
  { name: 'Record', show: ({ record }) => record && <RecordLink id={record} /> },
  { name: 'At', kind: 'time', show: ({ at }) => <When at={at} /> },
];

const names = ['act', 'actor', 'record', 'from', 'to'] as const;
const nothing = { act: '', actor: '', record: '', from: '', to: '' };

/** Who did what. Nobody can change a row: each holds the hash of the one before. */
export function Audit() {
  const [filters, set] = useAddress(names);
  const asked = askedOf(filters);
  const pages = usePages('GET /portal/api/audit', asked);
  const actorOf = useActors();
  const [open, setOpen] = useState<Act | null>(null);
  const file = new URLSearchParams({ ...asked, format: 'csv' }).toString();
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <>
      <PageTitle title="Audit" text="Who did what, from where, and what it changed.">
        <Button component="a" variant="default" href={`/portal/api/audit?${file}`} download>
          Download the CSV
        </Button>
      </PageTitle>
      <FilterBar filters={filters} set={set}>
        <FilterText
          label="Act"
          placeholder="putSettings"
          value={filters.act}
          onChange={(act) => set({ act })}
        />
        <FilterText
          label="By"
          placeholder="Id of a person, key or client"
          value={filters.actor}
          onChange={(actor) => set({ actor })}
        />
        <FilterText
          label="Record"
          placeholder="Any id"
          value={filters.record}
          onChange={(record) => set({ record })}
        />
      </FilterBar>
      <ListTable
        label="Acts"
        pages={pages}
        columns={columnsBy(actorOf)}
        keyOf={({ number }) => String(number)}
        onOpen={setOpen}
        empty={<Text fw={600}>{isFiltered ? 'No such acts' : 'Nothing was done yet'}</Text>}
      />
      <Detail title={open && `${open.act} (number ${open.number})`} onClose={() => setOpen(null)}>
        {open && (
          <OpenAct row={open} actorOf={actorOf} onFilter={set} onDone={() => setOpen(null)} />
        )}
      </Detail>
    </>
  );
}

interface ActProps {
  readonly row: Act;
  readonly actorOf: NameActor;
  readonly onFilter: (change: Partial<typeof nothing>) => void;
  readonly onDone: () => void;
}

/** One row, whole, and the way to those like it. */
function OpenAct({ row, actorOf, onFilter, onDone }: ActProps) {
  const only = (change: Partial<typeof nothing>) => {
    onFilter(change);
    onDone();
  };
  const record = row.record ? <RecordLink id={row.record} /> : 'none';
  return (
    <ActFacts act={row} by={actorOf(row)} record={record}>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => only({ act: row.act })}>
          Only this act
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => only({ actor: row.actor.id })}>
          Only by the same
        </Button>
      </Group>
    </ActFacts>
  );
}
