import { Button, Kbd, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SearchHit } from '@tenant-payments/backoffice/contract/records/search.ts';
import { useState } from 'react';
import { call } from '../../staff/api/call.ts';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';

/** Finds any record by what is known of it, from every page (Ctrl-K). */
export function Jump() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button variant="default" size="compact-md" onClick={open} aria-keyshortcuts="Control+K">
        Find <Kbd ml="xs" size="xs" visibleFrom="sm">{`Ctrl K`}</Kbd>
      </Button>
      <Dialog title="Find a record" isOpen={isOpen} onClose={close}>
        <Search onFound={close} />
      </Dialog>
    </>
  );
}

function Search({ onFound }: { readonly onFound: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 250);
  const { data, error } = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => call('GET /portal/api/search', { q: asked }, { signal }),
    enabled: asked !== '',
  });
  const go = ({ id }: SearchHit) => {
    onFound();
    void navigate({ to: '/record/$id', params: { id } as never });
  };
  const [first] = data?.data ?? [];
  return (
    <Stack>
      <TextInput
        label="Id, email address, reference or idempotency key"
        description="The whole of it"
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && first && go(first)}
      />
      {error && <Trouble error={error} />}
      {asked !== '' && data?.data.length === 0 && <Text role="status">Nothing was found.</Text>}
      {data?.data.map((hit) => (
        <Button
          key={hit.id}
          variant="default"
          justify="space-between"
          rightSection={hit.status && <StateBadge state={hit.status} />}
          onClick={() => go(hit)}
        >
          {`${hit.resource.replaceAll('_', ' ')}: ${hit.title}`}
        </Button>
      ))}
    </Stack>
  );
}
