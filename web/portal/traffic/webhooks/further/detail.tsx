import { Button, Code, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../staff/api/call.ts';
import { holds, useSession } from '../../../../staff/api/session.tsx';
import { useProven } from '../../../../staff/api/step_up.tsx';
import { Dialog } from '../../../../staff/parts/dialog.tsx';
import { Detail } from '../../../../staff/parts/drawer.tsx';
import { Facts } from '../../../../staff/parts/facts.tsx';
import { ShortId } from '../../../../staff/parts/short_id.tsx';
import { Trouble } from '../../../../staff/parts/trouble.tsx';
import { When } from '../../../../staff/parts/when.tsx';
import { Recover } from '../recover.tsx';
import { FurtherDeliveries } from './deliveries.tsx';
import { EndpointForm } from './form.tsx';
import { FurtherSecrets } from './secrets.tsx';
import { EndpointState, type FurtherEndpoint } from './state.tsx';

interface DetailProps {
  /** Null: none is open. */
  readonly endpoint: FurtherEndpoint | null;
  readonly onClose: () => void;
}

/** One endpoint: how it does, its secrets, and its latest deliveries. */
export const FurtherDetail = ({ endpoint, onClose }: DetailProps) => (
  <Detail title={endpoint?.name ?? null} onClose={onClose}>
    {endpoint && (
      <>
        <Facts
          rows={[
            ['Id', <ShortId key="id" id={endpoint.id} />],
            ['Address', <Code key="url">{endpoint.url}</Code>],
            ['State', <EndpointState key="state" endpoint={endpoint} />],
            ['Types', endpoint.types?.join(', ') ?? 'all'],
            ['Last success', <When key="last" at={endpoint.last_success_at} />],
            ['Failures since', endpoint.failure_streak],
          ]}
        />
        <Acts endpoint={endpoint} onGone={onClose} />
        <FurtherSecrets endpointId={endpoint.id} />
        <FurtherDeliveries endpointId={endpoint.id} />
      </>
    )}
  </Detail>
);

interface ActsProps {
  readonly endpoint: FurtherEndpoint;
  readonly onGone: () => void;
}

/** The buttons that change an endpoint, send its events again, or delete it. */
function Acts({ endpoint, onGone }: ActsProps) {
  const session = useSession();
  const mayChange = holds(session, ['developer']);
  const mayRecover = holds(session, ['developer', 'admin']);
  const [doing, setDoing] = useState<'change' | 'recover' | 'delete' | null>(null);
  const close = () => setDoing(null);
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" disabled={!mayChange} onClick={() => setDoing('change')}>
        Change
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!mayRecover || !endpoint.enabled}
        onClick={() => setDoing('recover')}
      >
        Recover events
      </Button>
      <Button variant="default" size="xs" disabled={!mayChange} onClick={() => setDoing('delete')}>
        Delete
      </Button>
      <EndpointForm isOpen={doing === 'change'} endpoint={endpoint} onClose={close} />
      <Recover isOpen={doing === 'recover'} onClose={close} endpointId={endpoint.id} />
      <Dialog title={`Delete ${endpoint.name}`} isOpen={doing === 'delete'} onClose={close}>
        <Deletion endpoint={endpoint} onClose={close} onGone={onGone} />
      </Dialog>
    </Group>
  );
}

function Deletion({ endpoint, onClose, onGone }: ActsProps & { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const proven = useProven();
  const deleting = useMutation({
    mutationFn: () =>
      proven(() => call('DELETE /portal/api/webhook-endpoints/:id', { id: endpoint.id })),
    onSuccess: () => {
      onGone();
      return queries.invalidateQueries({ queryKey: ['GET /portal/api/webhook-endpoints'] });
    },
  });
  return (
    <>
      <Text size="sm" mb="sm">
        Nothing more is sent to {endpoint.url}, also not what waits for a retry. Its secrets are
        retired.
      </Text>
      {deleting.error && <Trouble error={deleting.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate()}>
          Delete
        </Button>
      </Group>
    </>
  );
}
