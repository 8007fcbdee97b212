import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '../../staff/api/call.ts';
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
import { auditFields, auditNames, noneWords } from '../../staff/audit/filters.tsx';
import { Detail } from '../../staff/parts/drawer.tsx';
import type { Values } from '../../staff/parts/filter_fields.ts';
import { type Column, ListTable } from '../../staff/parts/list_table.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { useList } from '../../staff/parts/use_list.tsx';
import { When } from '../../staff/parts/when.tsx';

const columns: readonly Column<Act>[] = [
  { name: 'Act', show: sentenceOf },
  { name: 'When', kind: 'time', show: ({ at }) => <When at={at} isExact /> },
  { name: 'By', width: 200, show: ({ actor }) => actorWords(actor) },
  { name: 'Record', show: ({ record }) => record && <RecordLink id={record} isBare /> },
  { name: 'Outcome', kind: 'state', show: (act) => <Outcome act={act} /> },
];

const route = 'GET /portal/api/audit';
const fields = auditFields('tenant');

/**
 * The audit of the Tenant: who did what. Nobody can change a row, since each holds the hash of the
 * one before.
 */
export function Audit() {
  const list = useList<Act>({ name: 'audit', fields, columns, canTurn: true, file: route });
  const { values, set } = list;
  const pages = usePages(route, list.asked as InputOf<typeof route>);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [open, setOpen] = useState<Act | null>(null);
  const only = (change: Values) => {
    set(change);
    setOpen(null);
  };
  return (
    <>
      <PageTitle title="Audit" text="Who did what, from where, and what it changed.">
        {list.tools}
      </PageTitle>
      {list.filters(auditNames(values, rows))}
      <ListTable
        label="Acts"
        pages={pages}
        {...list.table}
        keyOf={({ number }) => String(number)}
        onOpen={setOpen}
        empty={<Text fw={600}>{noneWords(values)}</Text>}
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
