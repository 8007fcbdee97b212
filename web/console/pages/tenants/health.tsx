import type { TenantFigures } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { counted } from '../../../staff/parts/tell.ts';

type Endpoint = TenantFigures['endpoint'];

/** How the attempts at an endpoint end lately, in a word or two. */
export function Health({ endpoint }: { readonly endpoint: Endpoint }) {
  const { host, enabled, last_success_at, failure_streak } = endpoint;
  if (host === null) return <Mark tone="plain" text="none set" />;
  if (!enabled) return <Mark tone="warning" text="switched off" />;
  if (failure_streak > 0)
    return <Mark tone="bad" text={`${counted(failure_streak, 'failure')} in a row`} />;
  return last_success_at === null ? (
    <Mark tone="plain" text="nothing sent" />
  ) : (
    <Mark tone="good" text="healthy" />
  );
}
