import { Mark } from '../../../staff/parts/state_badge.tsx';

/** Whether a Tenant gets access tokens. */
export const TenantMark = ({ suspendedAt }: { readonly suspendedAt: string | null }) =>
  suspendedAt === null ? <Mark tone="good" text="active" /> : <Mark tone="bad" text="suspended" />;
