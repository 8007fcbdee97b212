import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { askedOf, useAddress } from '../../staff/api/address.ts';
import { usePages } from '../../staff/api/queries.ts';
import {
  type Act,
  ActFacts,
  actorWords,
  namesIn,
  Only,
  Outcome,
  sentenceOf,
} from '../../staff/audit/act.tsx';
import { ActFilter, noneWords, PersonFilter } from '../../staff/audit/filters.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import { FilterBar } from '../../staff/parts/filter_bar.tsx';
import { FilterText } from '../../staff/parts/filter_text.tsx';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { When } from '../../staff/parts/when.tsx';

const columns: readonly Column<Act>[] = [
  { name: 'Act', show: sentenceOf },
  { name: 'When', show: ({ at }) => <When at={at} isExact /> },
  { name: 'By', show: ({ actor }) => actorWords(actor) },
  { name: 'Record', show: ({ record }) => record && <RecordLink id={record} /> },
  { name: 'Outcome', show: (act) => <Outcome act={act} /> },
];

const names = ['act', 'actor', 'record', 'from', 'to'] as const;

/** Who did what. Nobody can change a row: each holds the hash of the one before. */
export function Audit() {
  const [filters, set] = useAddress(names);
  const asked = askedOf(filters);
  const pages = usePages('GET /portal/api/audit', asked);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [open, setOpen] = useState<Act | null>(null);
  const file = new URLSearchParams({ ...asked, format: 'csv' }).toString();
  const by = (id: string) => {
    const row = rows.find(({ actor }) => actor.id === id || actor.person_id === id);
    return row ? actorWords(row.actor) : null;
  };
  const only = (change: Partial<Record<'act' | 'actor', string>>) => {
    set(change);
    setOpen(null);
  };
  const { act, actor, record, from, to } = filters;
  const none = { act, record, by: actor === '' ? null : 'this person', isNarrowed: !!(from || to) };
  return (
    <>
      <PageTitle title="Audit" text="Who did what, from where, and what it changed.">
        <Button component="a" variant="default" href={`/portal/api/audit?${file}`} download>
          Download the CSV
        </Button>
      </PageTitle>
      <FilterBar filters={filters} set={set}>
        <ActFilter value={act} onChange={(value) => set({ act: value })} />
        <PersonFilter
          scope="tenant"
          value={actor}
          nameOf={by}
          onChange={(value) => set({ actor: value })}
        />
        <FilterText
          label="Record"
          placeholder="Id, or how it begins"
          value={record}
          onChange={(value) => set({ record: value })}
        />
      </FilterBar>
      <ListTable
        label="Acts"
        pages={pages}
        columns={columns}
        keyOf={({ number }) => String(number)}
        onOpen={setOpen}
        empty={<Text fw={600}>{noneWords(none)}</Text>}
      />
      <Detail title={open && sentenceOf(open)} onClose={() => setOpen(null)}>
        {open && (
          <ActFacts act={open} nameOf={namesIn(rows)} showRecord={(id) => <RecordLink id={id} />}>
            <Group gap="md">
              <Only text="Only this act" onClick={() => only({ act: open.act })} />
              <Only
                text="Only by the same"
                onClick={() => only({ actor: open.actor.person_id ?? open.actor.id })}
              />
            </Group>
          </ActFacts>
        )}
      </Detail>
    </>
  );
}
