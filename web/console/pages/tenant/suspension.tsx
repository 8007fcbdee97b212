import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TenantDetail } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Dialog } from '../../../staff/parts/dialog.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { isolated } from '../../../ui/isolated.ts';
import { wantsSecondPerson } from '../../approvals/second_person.tsx';

interface PartProps {
  readonly tenant: TenantDetail;
}

const requests = 'GET /portal/api/platform-approvals';

/** Reads anew what an act on a Tenant has changed. */
function useAgain() {
  const queries = useQueryClient();
  return async () => {
    for (const route of ['GET /portal/api/tenants', 'GET /portal/api/tenants/:id', requests])
      await queries.invalidateQueries({ queryKey: [route] });
  };
}

/** Whether the Tenant may act at all. */
export function Suspension({ tenant }: PartProps) {
  const mayAct = holds(useSession(), ['admin']);
  const isSuspended = tenant.suspended_at !== null;
  return (
    <Section
      title="Suspension"
      text="A suspended tenant gets no access token, and those it has end within a second. What is under way ends; nothing new is made."
    >
      {isSuspended && (
        <Facts
          rows={[
            ['Since', <When key="since" at={tenant.suspended_at} />],
            ['Reason', tenant.suspended_reason ?? ''],
          ]}
        />
      )}
      {mayAct && (isSuspended ? <Resume tenant={tenant} /> : <Suspend tenant={tenant} />)}
    </Section>
  );
}

function Resume({ tenant: { id } }: PartProps) {
  const proven = useProven();
  const again = useAgain();
  const resume = useMutation({
    mutationFn: () => proven(() => call('POST /portal/api/tenants/:id/resume', { id })),
    onSuccess: again,
  });
  return (
    <>
      {resume.error && <Trouble error={resume.error} />}
      <Group>
        <Button loading={resume.isPending} onClick={() => resume.mutate()}>
          Resume the tenant
        </Button>
      </Group>
    </>
  );
}

/** Whether an own or another admin's request waits already. */
function useWaiting(id: string): boolean {
  const { data } = useRead(requests, { status: 'waiting', limit: 100 });
  return data?.data.some(({ record_id, move }) => record_id === id && move === 'suspend') ?? false;
}

function Suspend({ tenant }: PartProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const waits = useWaiting(tenant.id);
  return (
    <>
      {waits && (
        <Text size="sm" role="status">
          A suspension was asked for, and waits for a second admin.{' '}
          <Anchor component={Link} inherit to="/requests">
            See the requests
          </Anchor>
        </Text>
      )}
      <Group>
        <Button variant="outline" color="red" disabled={waits} onClick={open}>
          Suspend the tenant
        </Button>
      </Group>
      <Dialog title={`Suspend ${isolated(tenant.name)}`} isOpen={isOpen} onClose={close}>
        <Suspending tenant={tenant} onClose={close} />
      </Dialog>
    </>
  );
}

function Suspending({ tenant: { id }, onClose }: PartProps & { readonly onClose: () => void }) {
  const proven = useProven();
  const again = useAgain();
  const [reason, setReason] = useState('');
  const suspend = useMutation({
    mutationFn: async () => {
      try {
        await proven(() => call('POST /portal/api/tenants/:id/suspend', { id, reason }));
      } catch (error) {
        if (!wantsSecondPerson(error)) throw error;
        const asked = { resource: 'tenants', id, move: 'suspend', note: reason };
        await proven(() => call('POST /portal/api/platform-approvals', asked));
      }
    },
    onSuccess: async () => {
      await again();
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        suspend.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          Its customers can pay nothing until it is resumed. In production this asks a second admin,
          who approves it.
        </Text>
        <Textarea
          label="Reason"
          description="Only staff see it"
          required
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {suspend.error && <Trouble error={suspend.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            disabled={reason.trim() === ''}
            loading={suspend.isPending}
          >
            Suspend
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
