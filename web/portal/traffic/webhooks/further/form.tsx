import { Button, Group, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type InputOf } from '../../../../staff/api/call.ts';
import { useRead } from '../../../../staff/api/queries.ts';
import { useProven } from '../../../../staff/api/step_up.tsx';
import { Dialog } from '../../../../staff/parts/dialog.tsx';
import { ShownOnce } from '../../../../staff/parts/secret_rotation.tsx';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import type { FurtherEndpoint } from './state.tsx';

type Given = InputOf<'POST /portal/api/webhook-endpoints'>;

interface FormProps {
  readonly isOpen: boolean;
  /** Null: another one is added. */
  readonly endpoint: FurtherEndpoint | null;
  readonly onClose: () => void;
}

/** Adds an endpoint, or changes one. */
export const EndpointForm = ({ isOpen, endpoint, onClose }: FormProps) => (
  <Dialog
    title={endpoint === null ? 'Add an endpoint' : `Change ${endpoint.name}`}
    isOpen={isOpen}
    onClose={onClose}
  >
    {isOpen && <Fields endpoint={endpoint} onClose={onClose} />}
  </Dialog>
);

/** Saves what the form has. */
function useSave(endpoint: FurtherEndpoint | null, onChanged: () => void) {
  const queries = useQueryClient();
  const proven = useProven();
  return useMutation({
    mutationFn: async (given: Given) => {
      if (endpoint === null)
        return (await proven(() => call('POST /portal/api/webhook-endpoints', given))).secret;
      const changed = { ...given, id: endpoint.id };
      await proven(() => call('PUT /portal/api/webhook-endpoints/:id', changed));
      return null;
    },
    onSuccess: async (secret) => {
      await queries.invalidateQueries({ queryKey: ['GET /portal/api/webhook-endpoints'] });
      if (secret === null) onChanged();
    },
  });
}

function Fields({ endpoint, onClose }: Omit<FormProps, 'isOpen'>) {
  const { data: known } = useRead('GET /portal/api/event-types', {});
  const [name, setName] = useState(endpoint?.name ?? '');
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [types, setTypes] = useState<string[]>(endpoint?.types ?? []);
  const [enabled, setEnabled] = useState(endpoint?.enabled ?? true);
  const save = useSave(endpoint, onClose);
  const given = { name, url, types: types.length === 0 ? null : types, enabled } as Given;
  if (save.data) return <Added secret={save.data} onClose={onClose} />;
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        placeholder="Accounting"
        maxLength={60}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label="Address"
        description="https, or in the sandbox http on this machine"
        placeholder="https://books.example/webhooks"
        type="url"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <MultiSelect
        label="Types"
        description="Empty: every event"
        data={known?.data.map(({ type }) => type) ?? []}
        value={types}
        onChange={setTypes}
        searchable
        clearable
      />
      <Switch
        label={enabled ? 'Events are sent' : 'No events are sent'}
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      {save.error && <Trouble error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={name === '' || url === ''}
          loading={save.isPending}
          onClick={() => save.mutate(given)}
        >
          {endpoint === null ? 'Add' : 'Save'}
        </Button>
      </Group>
    </Stack>
  );
}

/** The secret of a new endpoint, shown this once. */
const Added = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => (
  <Stack gap="sm">
    <Text size="sm">
      Events go there from now on. Its receiver verifies them with this secret, and with no other
      endpoint's.
    </Text>
    <ShownOnce value={secret} />
    <Group justify="flex-end">
      <Button onClick={onClose}>I have saved it</Button>
    </Group>
  </Stack>
);
