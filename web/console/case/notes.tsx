import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Nothing } from './facts.tsx';

/** The notes that staff have written on a case; none is ever removed. */
export function Notes({ file: { resource, id, notes } }: { readonly file: CaseFile }) {
  const queries = useQueryClient();
  const ask = useCall();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: () =>
      ask('POST /portal/api/cases/:resource/:id/notes', { resource, id, text: text.trim() }),
    onSuccess: () => {
      setText('');
      return queries.invalidateQueries();
    },
  });
  return (
    <Section title="Notes" text="Only staff see them. A note stays.">
      {notes.length === 0 && <Nothing text="Nobody has written one." />}
      {notes.length > 0 && (
        <Stack gap="sm" component="ul" className="plays">
          {notes.map((note) => (
            <li key={note.id}>
              <Text size="xs" c="dimmed">
                {note.by}, <When at={note.created_at} />
              </Text>
              <Text size="sm" className="wrapped">
                {note.text}
              </Text>
            </li>
          ))}
        </Stack>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack gap="xs">
          <Textarea
            label="New note"
            description="It stays when the customer is erased: no names, addresses or numbers"
            autosize={false}
            rows={3}
            maxLength={4_000}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {add.error && <Trouble error={add.error} />}
          <Group>
            <Button
              type="submit"
              variant="default"
              disabled={text.trim() === ''}
              loading={add.isPending}
            >
              Add the note
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
