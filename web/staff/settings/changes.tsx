import { Text } from '@mantine/core';
import { doneWords } from '@tenant-payments/contract/core/fields/acts.ts';
import { changesSentence, settingChanges } from '@tenant-payments/contract/core/fields/changes.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import { useState } from 'react';
import { type ItemOf, usePages } from '../api/queries.ts';
import { actorWords } from '../audit/act.tsx';
import { ChangeTable } from '../parts/change_table.tsx';
import { Detail } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { type Column, ListTable } from '../parts/list_table.tsx';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';

type Change = ItemOf<'GET /portal/api/settings/history'>;

/** The values of a change one by one, as they were and are. */
const leavesOf = ({ key, before, after }: Change) =>
  settingChanges({ [key]: before }, { [key]: after });

const sentenceOf = (change: Change): string => doneWords(changesSentence(leavesOf(change)));

const columns: readonly Column<Change>[] = [
  { name: 'Change', show: sentenceOf },
  { name: 'When', kind: 'time', show: ({ at }) => <When at={at} /> },
  { name: 'By', show: ({ actor }) => actorWords(actor) },
];

/** The changes of the settings: who changed which, and the values before. */
export function Changes() {
  const pages = usePages('GET /portal/api/settings/history', {});
  const [open, setOpen] = useState<Change | null>(null);
  return (
    <Section title="Changes" text="Each change holds from the moment at which it was saved.">
      <ListTable
        label="Changes of settings"
        pages={pages}
        columns={columns}
        keyOf={({ at, key }) => `${at} ${key}`}
        onOpen={setOpen}
        empty={
          <Text size="sm" c="dimmed">
            Nothing was changed yet.
          </Text>
        }
      />
      <Detail title={open && sentenceOf(open)} onClose={() => setOpen(null)}>
        {open && (
          <>
            <Facts
              rows={[
                ['By', actorWords(open.actor)],
                ['When', <When key="at" at={open.at} isExact />],
              ]}
            />
            <ChangeTable
              label="What it changed"
              changes={leavesOf(open).map(({ field, before, after }) => ({
                key: field,
                field: fieldOf('settings', field),
                before,
                after,
              }))}
            />
          </>
        )}
      </Detail>
    </Section>
  );
}
