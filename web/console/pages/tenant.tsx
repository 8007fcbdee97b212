import { Skeleton, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { TenantDetail } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type ComponentType, lazy, Suspense } from 'react';
import { useAddress } from '../../staff/api/address.ts';
import { TenantProvider, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { TenantClock } from '../../staff/parts/clock.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Invitations } from '../../staff/people/invitations.tsx';
import { People } from '../../staff/people/people.tsx';
import { ofTenant } from '../../staff/people/scope.ts';
import { ClientSecrets } from '../../staff/tenant/credentials.tsx';
import { BankAccounts } from './tenant/bank_accounts.tsx';
import { Customers } from './tenant/customers.tsx';
import { Overview } from './tenant/overview.tsx';
import { TenantMark } from './tenants/tenant_mark.tsx';

// The documents' part carries the parser of Markdown, which no other part needs.
const TenantDocuments = lazy(async () => {
  const { TenantDocuments: Documents } = await import('./tenant/documents.tsx');
  return { default: Documents };
});

const TenantSettings = lazy(async () => {
  const { TenantSettings: Settings } = await import('./tenant/settings.tsx');
  return { default: Settings };
});

interface Part {
  readonly name: string;
  /** The part's name in the address. */
  readonly key: string;
  readonly may: readonly Role[];
  readonly Show: ComponentType<{ readonly tenant: TenantDetail }>;
}

const parts: readonly [Part, ...Part[]] = [
  { key: '', name: 'Overview', may: ['support'], Show: Overview },
  { key: 'customers', name: 'Customers', may: ['support'], Show: Customers },
  { key: 'settings', name: 'Settings', may: ['support'], Show: TenantSettings },
  { key: 'credentials', name: 'Credentials', may: ['support'], Show: ClientSecrets },
  { key: 'bank-accounts', name: 'Bank accounts', may: ['support'], Show: BankAccounts },
  { key: 'documents', name: 'Documents', may: ['reviewer'], Show: TenantDocuments },
  {
    key: 'people',
    name: 'People',
    may: ['admin'],
    Show: () => (
      <Stack gap="xl" maw={1100}>
        <People scope={ofTenant} />
        <Invitations scope={ofTenant} offered="owner" />
      </Stack>
    ),
  },
];

/** One Tenant: how it does, and what the platform sets for it. */
export function TenantPage() {
  const { tenantId = '' } = useParams({ strict: false }) as { readonly tenantId?: string };
  const { data, error, refetch } = useRead('GET /portal/api/tenants/:id', { id: tenantId });
  const session = useSession();
  const [{ part }] = useAddress(['part']);
  const allowed = parts.filter(({ may }) => holds(session, may));
  const { Show } = allowed.find(({ key }) => key === part) ?? parts[0];
  if (!data)
    return (
      <>
        <PageTitle title="Tenant" />
        {error ? (
          <Trouble error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={320} />
        )}
      </>
    );
  return (
    // The page is made anew for another Tenant: values typed for one are not sent for the next.
    <TenantProvider key={tenantId} value={tenantId}>
      <PageTitle title={data.name} text={<ShortId id={tenantId} />}>
        <TenantMark suspendedAt={data.suspended_at} />
      </PageTitle>
      <nav className="parts" aria-label="Parts of the tenant">
        {allowed.map(({ key, name }) => (
          <Link
            key={key}
            to="."
            search={(key === '' ? {} : { part: key }) as never}
            className="part"
            aria-current={key === part ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Skeleton height={320} />}>
        <TenantClock>
          <Show tenant={data} />
        </TenantClock>
      </Suspense>
    </TenantProvider>
  );
}
