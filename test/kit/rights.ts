import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';

/** Every operation of the portal but those of signing in, which have no caller yet. */
export const operations = Object.values<PortalEndpoint>(portalEndpoints).filter(
  ({ may }) => may !== 'anybody',
);

/** The path with strange ids and without `/portal/api`: what is allowed answers, and changes little. */
export const pathOf = ({ path }: PortalEndpoint): string =>
  path.replace('/portal/api', '').replaceAll(/:\w+/g, 'unknown');

/** The answers of the rights; `answered` is whatever the operation says itself. */
export type Verdict =
  | 'sandbox_only'
  | 'step_up_required'
  | 'forbidden'
  | 'forbidden by another row'
  | 'forbidden choose_tenant'
  | 'forbidden staff_only'
  | 'forbidden visitor'
  | 'forbidden visit_over'
  | 'forbidden no_person'
  | 'answered';

/** The rights' own reasons; others are the operation's, such as a person where only a key may call. */
const reasons: readonly unknown[] = [
  'choose_tenant',
  'staff_only',
  'visitor',
  'visit_over',
  'no_person',
];

interface Refusal {
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>> | null;
}

/** The verdict of a refusal, as it is thrown or answered: it names the roles of its row. */
export function verdictOf(refusal: Refusal | undefined, { may }: PortalEndpoint): Verdict {
  const { code, details } = refusal ?? {};
  if (code === 'sandbox_only' || code === 'step_up_required') return code;
  if (code !== 'forbidden') return 'answered';
  if (details?.roles)
    return String(details.roles) === String(may) ? 'forbidden' : 'forbidden by another row';
  return reasons.includes(details?.reason)
    ? (`forbidden ${details?.reason}` as Verdict)
    : 'answered';
}

/** rules/people#1, written out once more. */
const rightsOf: Readonly<Record<Role, readonly Role[]>> = {
  admin: ['admin', 'reviewer', 'support'],
  reviewer: ['reviewer', 'support'],
  support: ['support'],
  owner: ['owner', 'developer', 'finance', 'reader'],
  developer: ['developer', 'reader'],
  finance: ['finance', 'reader'],
  reader: ['reader'],
};

/** The operations open to a visitor besides reads (rules/people#9). */
const leaving = ['getSession', 'leaveTenant', 'signOut'];

/** The operations that are the platform's alone: no program of a Tenant calls them (rules/tenants#5). */
export const ofPlatformAlone: readonly string[] = [
  'listStaff',
  'putStaff',
  'endStaffSessions',
  'removeStaff',
  'listStaffInvitations',
  'createStaffInvitation',
  'revokeStaffInvitation',
  'enterTenant',
  'createSignInLink',
  'getKeysStatus',
  'listQrKeys',
  'revokeQrKey',
  'createTenant',
];

export interface Calling {
  /** Whether a Tenant's program calls. */
  readonly isProgram?: boolean;
  readonly roles: readonly Role[];
  readonly isTenantNamed: boolean;
  readonly isFresh: boolean;
  readonly visit?: 'on' | 'over';
  readonly environment: 'sandbox' | 'production';
}

/** The answer that the rights must give by a row of the table alone, in the order of rules/people#2. */
export function expectedVerdict(row: PortalEndpoint, calling: Calling): Verdict {
  const { roles, visit } = calling;
  const held = roles.flatMap((role) => rightsOf[role]);
  const isOpen = leaving.includes(row.id) || (visit === 'on' && row.method === 'GET');
  const isRole = row.may === 'signed_in' || held.some((role) => row.may.includes(role));
  if (row.sandboxOnly && calling.environment === 'production') return 'sandbox_only';
  if (visit && !isOpen) return visit === 'on' ? 'forbidden visitor' : 'forbidden visit_over';
  if (!isRole) return 'forbidden';
  if (calling.isProgram && ofPlatformAlone.includes(row.id)) return 'forbidden no_person';
  if (row.of === 'tenant' && !calling.isTenantNamed) return 'forbidden choose_tenant';
  return row.stepUp === true && !calling.isFresh ? 'step_up_required' : 'answered';
}
