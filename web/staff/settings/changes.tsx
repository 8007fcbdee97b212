import { Text } from '@mantine/core';
import { useState } from 'react';
import { type ItemOf, usePages } from '../api/queries.ts';
import { Detail } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { JsonView } from '../parts/json_view.tsx';
import { type Column, ListTable } from '../parts/list_table.tsx';
import { Section } from '../parts/section.tsx';
import { inWords } from '../parts/tell.ts';
import { When } from '../parts/when.tsx';

type Change = ItemOf<'GET /portal/api/settings/history'>;

const actorOf = ({ actor }: Change): string => `${inWords(actor.kind)} ${actor.id}`;

const columns: readonly Column<Change>[] = [
  { name: 'Setting', show: ({ key }) => inWords(key) },
  { name: 'By', show: actorOf },
  { name: 'At', kind: 'time', show: ({ at }) => <When at={at} /> },
];

/** Who changed what, and what it was before. */
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
        empty={<Text c="dimmed">Nothing was changed yet.</Text>}
      />
      <Detail title={open && inWords(open.key)} onClose={() => setOpen(null)}>
        {open && (
          <>
            <Facts
              rows={[
                ['By', actorOf(open)],
                ['At', <When key="at" at={open.at} />],
                ['Request', open.request_id ?? 'none'],
              ]}
            />
            <JsonView title="Before" value={open.before} />
            <JsonView title="After" value={open.after} />
          </>
        )}
      </Detail>
    </Section>
  );
}
