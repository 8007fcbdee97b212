import type { Act } from '@tenant-payments/engine/batch/acts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformScope } from '@tenant-payments/engine/platform.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  assertNotSuspended,
  resumeTenant,
  suspendTenant,
  suspensionOf,
} from '@tenant-payments/service/tenants/suspension.ts';
import type { PortalEndpoint } from '../../contract/endpoint.ts';
import {
  resumeTenant as resuming,
  suspendTenant as suspending,
  type TenantState,
} from '../../contract/operate/tenants.ts';
import { ownTenant } from '../../own_tenant.ts';
import { platformApprovalNeeded } from '../../people/second_admin_needed.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

/** @throws ApiError not_found: also another Tenant than that of a sandbox's program */
async function found(caller: Caller, id: string) {
  if (id !== (ownTenant(caller) ?? id)) throw fail('not_found', { param: 'id' });
  return suspensionOf(caller.db, id);
}

const stateOf = async ({ db }: Caller, id: string): Promise<TenantState> => {
  const { suspended_at } = await suspensionOf(db, id);
  return { id, object: 'tenant', suspended_at };
};

/** The act in the platform's chain, whichever Tenant the command is of. */
const actOn = ({ id }: Pick<PortalEndpoint, 'id'>, record: string): Act => ({
  act: id,
  record,
  scope: platformScope,
});

/** POST /portal/api/tenants/{id}/suspend and /resume (rules/operations#42). */
export const tenantActs = ({
  clocks,
  config,
  engine,
}: Pick<Service, 'clocks' | 'config' | 'engine'>) => ({
  /** @throws ApiError not_found; invalid_state, reason `already_suspended`, `approval_required` */
  async suspend(caller: Caller, { id, reason }: { id: string; reason: string }) {
    assertNotSuspended(await found(caller, id));
    if (config.approvals) throw platformApprovalNeeded('tenants', 'suspend');
    const act = actOn(suspending, id);
    const command = suspendTenant({ clocks });
    await engine.submit(command, { tenantId: id, actor: caller.actor, act, input: { reason } });
    return stateOf(caller, id);
  },
  /** @throws ApiError not_found; invalid_state, reason `not_suspended` */
  async resume(caller: Caller, { id }: { id: string }) {
    await found(caller, id);
    const act = actOn(resuming, id);
    await engine.submit(resumeTenant, { tenantId: id, actor: caller.actor, act, input: {} });
    return stateOf(caller, id);
  },
});
