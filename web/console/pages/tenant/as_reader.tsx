import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { Consents } from '../../../staff/tenant/support_access.tsx';

/** The Tenant as its readers see it, by consent of an owner (rules/people#8). */
export function AsReader({ tenantId }: { readonly tenantId: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/support-consents', {});
  const isMember = useSession().scopes.some(({ scope }) => scope === tenantId);
  const rows = data?.data ?? [];
  const isOpen = rows.some(({ status }) => status === 'open');
  return (
    <Section
      title="Sign in as a reader"
      text="With an owner's consent you see the tenant's portal as a reader, for an hour at most. The owner sees that you are in, and both audits say it."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && !isOpen && (
        <Text size="sm">
          No owner has consented now. An owner does so in the portal, under Team.
        </Text>
      )}
      {isOpen && isMember && (
        <Text size="sm">You hold a role in this tenant. Act in it with that role.</Text>
      )}
      {isOpen && !isMember && <Enter tenantId={tenantId} />}
      {rows.length > 0 && <Consents rows={rows} />}
    </Section>
  );
}

function Enter({ tenantId: id }: { readonly tenantId: string }) {
  const proven = useProven();
  const enter = useMutation({
    mutationFn: () => proven(() => call('POST /portal/api/tenants/:id/enter', { id })),
    onSuccess: () => location.assign('/portal'),
  });
  return (
    <>
      {enter.error && <Trouble error={enter.error} />}
      <Group>
        <Button loading={enter.isPending || enter.isSuccess} onClick={() => enter.mutate()}>
          Sign in as a reader
        </Button>
      </Group>
    </>
  );
}
