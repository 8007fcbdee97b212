import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { NewSandboxTenant } from '@tenant-payments/backoffice/contract/sandbox/sandbox.ts';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { ShownOnce } from '../../../staff/parts/secret_rotation.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { isolated } from '../../../ui/isolated.ts';

/** The ways to make another sandbox beside this one, or to begin this one anew. */
export function Tenants() {
  const mayMake = holds(useSession(), ['developer', 'admin']);
  const [open, setOpen] = useState<'new' | 'reset' | null>(null);
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const isAskedFor = mayMake && hash === 'new';
  const close = () => {
    setOpen(null);
    if (hash !== '') void navigate({ to: pathname, hash: '', replace: true });
  };
  return (
    <Section
      title="This sandbox"
      text="Each tenant has its own records, clock and faults: one for each developer or test run keeps them apart."
    >
      <Group gap="xs">
        <Button variant="default" disabled={!mayMake} onClick={() => setOpen('new')}>
          New sandbox tenant
        </Button>
        <Button variant="outline" color="red" disabled={!mayMake} onClick={() => setOpen('reset')}>
          Reset this sandbox
        </Button>
      </Group>
      <Dialog title="New sandbox tenant" isOpen={open === 'new' || isAskedFor} onClose={close}>
        <Making onClose={close} />
      </Dialog>
      <Dialog title="Reset this sandbox" isOpen={open === 'reset'} onClose={close}>
        <Resetting onClose={close} />
      </Dialog>
    </Section>
  );
}

interface DialogPart {
  readonly onClose: () => void;
}

function Making({ onClose }: DialogPart) {
  const queries = useQueryClient();
  const proven = useProven();
  const [name, setName] = useState('');
  const [sample, setSample] = useState(true);
  const make = useMutation({
    mutationFn: () =>
      proven(() => call('POST /portal/api/sandbox/tenants', { name: name.trim(), sample })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/session'] }),
  });
  if (make.data) return <Made tenant={make.data} onClose={onClose} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Customers see it in the hosted pages"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          label="With the sample people and shops"
          checked={sample}
          onChange={({ currentTarget }) => setSample(currentTarget.checked)}
        />
        {make.error && <Trouble error={make.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={make.isPending}>
            Make the tenant
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The session acts in another Tenant now, which these pages could not show. */
const toPortal = () => location.assign('/portal');

function Made({ tenant, onClose }: DialogPart & { readonly tenant: NewSandboxTenant }) {
  const act = useMutation({
    mutationFn: () => call('POST /portal/api/session/act', { scope: tenant.id }),
    onSuccess: toPortal,
  });
  return (
    <Stack>
      <Text size="sm">{`${isolated(tenant.name)} is ready. You own it.`}</Text>
      <Facts
        rows={[
          ['Base address', tenant.base_url],
          ['Client id', tenant.client_id],
        ]}
      />
      <ShownOnce name="Client secret" value={tenant.client_secret} />
      <ShownOnce name="Webhook secret" value={tenant.webhook_secret} />
      {act.error && <Trouble error={act.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          I have saved them, stay here
        </Button>
        <Button loading={act.isPending} onClick={() => act.mutate()}>
          {`I have saved them, switch to ${isolated(tenant.name)}`}
        </Button>
      </Group>
    </Stack>
  );
}

function Resetting({ onClose }: DialogPart) {
  const { scope, scopes } = useSession();
  const tenant = scopes.find((one) => one.scope === scope)?.name ?? '';
  const [name, setName] = useState('');
  const reset = useMutation({
    mutationFn: () => call('POST /portal/api/sandbox/reset', { name }),
    onSuccess: toPortal,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reset.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          A fresh sandbox with the sample people takes the place of this one. Every customer,
          payment and event is gone from here; nobody can bring them back.
        </Text>
        <Text size="sm">
          Kept: the name, settings, client id and secret, webhook endpoint and secrets, members.
          Ended: access tokens, which your servers get anew, and API keys.
        </Text>
        <TextInput
          label={`Type ${tenant} to confirm`}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {reset.error && <Trouble error={reset.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={name !== tenant} loading={reset.isPending}>
            Reset this sandbox
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
