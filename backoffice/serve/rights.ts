import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { isOpenTo } from '../contract/people/support.ts';
import { isProgram } from '../own_tenant.ts';

/** The facts of a caller that the rights ask for. */
export interface CallerRights {
  readonly actor: Pick<Actor, 'kind' | 'personId' | 'roles'>;
  /** The Tenant whose records the call is about; empty: the platform's own, or the caller's. */
  readonly tenantId: string;
  /** Whether it has proven itself within the last five minutes. */
  readonly isFresh: boolean;
  /** Its cookie has appeared elsewhere: it writes nothing before its person has proven to be there. */
  readonly mustProve?: boolean;
  /** The visit by which it sees the Tenant with an owner's consent (rules/people#8). */
  readonly visit?: 'on' | 'over';
}

/** How somebody proves to be there, or leaves. */
const proving: ReadonlySet<string> = new Set([
  'beginStepUp',
  'finishStepUp',
  'beginSingleSignOnStepUp',
  'signOut',
]);

/** An operation that only a sandbox has. */
export const refusedOperation = (
  { sandboxOnly }: Pick<PortalEndpoint, 'sandboxOnly'>,
  environment: Environment,
) => (sandboxOnly && environment === 'production' ? fail('sandbox_only') : null);

/** Whether an operation is of the platform, and not about one Tenant that its caller may be (rules/tenants#5). */
const isOfPlatformAlone = ({ of, ownTenant }: PortalEndpoint): boolean =>
  (of === 'platform' || of === 'tenant_or_platform') && !ownTenant;

/**
 * The rights that an operation's row of the table declares (rules/people#2). Whether one wants step-up by what
 * it is asked for is known once its input has been checked.
 * @throws ApiError sandbox_only, forbidden, step_up_required
 */
export function assertMay(
  endpoint: PortalEndpoint,
  { actor, tenantId, isFresh, mustProve = false, visit }: CallerRights,
  environment: Environment,
): void {
  const { id, method, may, of, stepUp } = endpoint;
  const refused = refusedOperation(endpoint, environment);
  if (refused) throw refused;
  if (visit !== undefined && !isOpenTo(visit, { id, method }))
    throw fail('forbidden', { details: { reason: visit === 'on' ? 'visitor' : 'visit_over' } });
  if (!mayCall(may, actor.roles)) throw fail('forbidden', { details: { roles: may } });
  if (isOfPlatformAlone(endpoint) && isProgram(actor))
    throw fail('forbidden', { details: { reason: 'no_person' } });
  if (of === 'tenant' && tenantId === '')
    throw fail('forbidden', { details: { reason: 'choose_tenant' } });
  if (mustProve && method !== 'GET' && !proving.has(id))
    throw fail('step_up_required', { details: { reason: 'moved' } });
  if (stepUp === true && !isFresh) throw fail('step_up_required');
}
