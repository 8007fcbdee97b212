import '../../../staff/usual.ts';
import { Skeleton, Stack } from '@mantine/core';
import { useRead } from '../../../staff/api/queries.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { Changes } from '../../../staff/settings/changes.tsx';
import { WaitingTerms } from '../../../staff/settings/worse_terms.tsx';
import { Flows } from './settings/flows.tsx';
import { Industries } from './settings/industries.tsx';
import { Institution } from './settings/institution.tsx';
import { Limits } from './settings/limits.tsx';
import { PlatformFees } from './settings/platform_fees.tsx';
import { RequestUses } from './settings/request_uses.tsx';
import { Rules } from './settings/rules.tsx';

/** The settings that the platform sets for the Tenant, and all changes of settings. */
export function TenantSettings() {
  const { data, error, refetch } = useRead('GET /portal/api/settings', {});
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  return (
    <Stack gap={40} maw={960}>
      <WaitingTerms />
      <Flows settings={data} />
      <RequestUses settings={data} />
      <Rules settings={data} />
      <Limits settings={data} />
      <PlatformFees settings={data} />
      <Institution settings={data} />
      <Industries settings={data} />
      <Changes />
    </Stack>
  );
}
