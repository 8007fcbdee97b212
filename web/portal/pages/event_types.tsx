import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReplyOf } from '../../staff/api/call.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Detail } from '../../staff/parts/drawer.tsx';
import { useFilters } from '../../staff/parts/list_filters.ts';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { TypeDetail } from '../traffic/webhooks/type_detail.tsx';
import { sentencesOf } from '../traffic/webhooks/when_sent.ts';

type Row = ReplyOf<'GET /portal/api/event-types'>['data'][number];

const isFound = ({ type, resource }: Row, text: string): boolean =>
  `${type} ${resource}`.includes(text.trim().toLowerCase());

/** Every event that can be sent. */
export function EventTypes() {
  const { data, error, refetch } = useRead('GET /portal/api/event-types', {});
  const { set, search } = useFilters([]);
  const [text, setText] = useState('');
  const open = search.open === undefined ? null : String(search.open);
  const rows = (data?.data ?? []).filter((row) => isFound(row, text));
  return (
    <>
      <PageTitle
        title="Event catalog"
        text="Every event that your endpoint can get, made of the state tables and schemas that the service runs."
      />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      <Group mb="sm">
        <TextInput
          label="Find"
          placeholder="payment"
          size="xs"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Group>
      <dl className="event-types">
        {rows.map((row) => (
          <div key={row.type}>
            <dt>
              <Button
                variant="subtle"
                size="compact-sm"
                ff="monospace"
                className="wraps"
                aria-label={`Open ${row.type}`}
                onClick={() => set({ open: row.type })}
              >
                {row.type}
              </Button>
            </dt>
            <dd>{sentencesOf(row)[0]}</dd>
          </div>
        ))}
      </dl>
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No type is called that.
        </Text>
      )}
      <Detail title={open} onClose={() => set({ open: '' })}>
        {open !== null && <TypeDetail key={open} type={open} />}
      </Detail>
    </>
  );
}
