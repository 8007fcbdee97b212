import { Anchor, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NewTenant } from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { ShownOnce } from '../../../staff/parts/secret_rotation.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { isolated } from '../../../ui/isolated.ts';

interface DialogPart {
  readonly onClose: () => void;
}

const usualRate = 6_000;

/** Asks for what a Tenant begins with, makes it, and shows its secrets this once. */
export function MakeTenant({ onClose }: DialogPart) {
  const queries = useQueryClient();
  const proven = useProven();
  const [name, setName] = useState('');
  const [rate, setRate] = useState(usualRate);
  const make = useMutation({
    mutationFn: () =>
      proven(() => call('POST /portal/api/tenants', { name: name.trim(), rate_limit: rate })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/tenants'] }),
  });
  if (make.data) return <Made tenant={make.data} name={name.trim()} onClose={onClose} />;
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
        <NumberInput
          label="Rate limit"
          description="Requests a minute"
          required
          min={1}
          max={10_000_000}
          allowDecimal={false}
          value={rate}
          onChange={(value) => setRate(Number(value))}
        />
        {make.error && <Trouble error={make.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === '' || rate < 1} loading={make.isPending}>
            Make the tenant
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface MadeProps extends DialogPart {
  readonly tenant: NewTenant;
  readonly name: string;
}

const Made = ({ tenant, name, onClose }: MadeProps) => (
  <Stack>
    <Text size="sm">{`${isolated(name)} is ready. Its owner is invited on its page.`}</Text>
    <Facts
      rows={[
        ['Tenant id', tenant.tenant_id],
        ['Base address', tenant.base_url],
        ['Client id', tenant.client_id],
      ]}
    />
    <ShownOnce name="Client secret" value={tenant.client_secret} />
    <ShownOnce name="Webhook secret" value={tenant.webhook_secret} />
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        I have saved them
      </Button>
      <Anchor
        component={Link}
        to="/tenants/$tenantId"
        params={{ tenantId: tenant.tenant_id } as never}
      >
        {`Go to ${isolated(name)}`}
      </Anchor>
    </Group>
  </Stack>
);
