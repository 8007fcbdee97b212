import { Anchor, Group, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Fees } from '../../staff/settings/fees.tsx';
import { Addresses } from './settings/addresses.tsx';
import { Branding } from './settings/branding.tsx';
import { Expiry } from './settings/expiry.tsx';
import { Platform } from './settings/platform.tsx';

/** The history stands below all forms, and is loaded after them. */
const Changes = lazy(async () => ({
  default: (await import('../../staff/settings/changes.tsx')).Changes,
}));

/** The Tenant's own settings, those that the platform sets for it, and who changed which. */
export function SettingsPage() {
  const session = useSession();
  const { data, error, refetch } = useRead('GET /portal/api/settings', {});
  const maySeeSecrets = holds(session, ['developer', 'support']);
  return (
    <>
      <PageTitle title="Settings" text="A change holds from the moment at which it is saved." />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <Stack gap={40} maw={960}>
          {maySeeSecrets && (
            <Group gap="md">
              <Anchor component={Link} to="/credentials" size="sm">
                Client secrets
              </Anchor>
              <Anchor component={Link} to="/webhooks" size="sm">
                Webhook endpoint and secrets
              </Anchor>
            </Group>
          )}
          <Branding settings={data} />
          <Addresses settings={data} />
          <Expiry settings={data} />
          <Fees settings={data} />
          <Platform settings={data} />
          {maySeeSecrets && (
            <Suspense fallback={<Skeleton height={160} />}>
              <Changes />
            </Suspense>
          )}
        </Stack>
      )}
    </>
  );
}
