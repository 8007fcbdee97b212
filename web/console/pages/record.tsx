import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { DeskResource } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { TenantProvider, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { OfRecord, RecordHead } from '../../staff/parts/record/view.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { CaseLink } from '../case/case_link.tsx';
import { CustomerPage } from './customer.tsx';

/** Any record of a Tenant by its id, to be read: a customer with all that belongs to it. */
export function ConsoleRecord() {
  const { tenantId, id } = useParams({ strict: false }) as Record<'tenantId' | 'id', string>;
  const Page = id.startsWith(`${idPrefixes.customer}_`) ? CustomerPage : OneRecord;
  return (
    <TenantProvider value={tenantId}>
      <TenantLine tenantId={tenantId} />
      <Page key={id} id={id} />
    </TenantProvider>
  );
}

/** The Tenant of what is shown. */
function TenantLine({ tenantId }: { readonly tenantId: string }) {
  const { data } = useRead('GET /portal/api/tenants/:id', { id: tenantId });
  return (
    <Text size="sm" mb="md" component="div">
      Of{' '}
      <Anchor component={Link} to="/tenants/$tenantId" params={{ tenantId } as never} inherit>
        {data?.name ?? 'this tenant'}
      </Anchor>
    </Text>
  );
}

/** Records that can be cases, by what the desk calls them. */
const cases = {
  owner: 'owners',
  linked_account: 'linked-accounts',
  account: 'accounts',
  dispute: 'disputes',
} as const satisfies Record<string, DeskResource>;

function OneRecord({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/records/:id', { id });
  const mayDecide = holds(useSession(), ['reviewer']);
  const resource = ownValue(cases, data?.resource ?? '');
  return (
    <>
      <RecordHead id={id} page={data} />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} role="status" aria-label="Loading the record" />}
      {data && (
        <Stack gap="md">
          {mayDecide && resource && <CaseLink resource={resource} id={id} text="Open its case" />}
          <OfRecord page={data} />
        </Stack>
      )}
    </>
  );
}
