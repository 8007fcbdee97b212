import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { suspensionOf } from '@tenant-payments/service/tenants/suspension.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import { actOf } from '../../audit/acts.ts';
import { beside } from '../../audit/beside.ts';
import {
  createSandboxTenant as createContract,
  type NewSandboxTenant,
  resetSandbox as resetContract,
  type SandboxReset,
} from '../../contract/sandbox/sandbox.ts';
import { grantRoles } from '../../people/grant.ts';
import { nameOfScope } from '../../people/scope.ts';
import { roleGrants } from '../../people/table.ts';
import { createTenant, createUnreachable } from '../../tenants/create.ts';
import type { Sample } from '../../tenants/sandbox_file.ts';
import { takeOver } from '../../tenants/take_over.ts';

type Caller = Pick<ReadContext, 'actor' | 'tenantId' | 'db'>;

const owning = command('grant_owner', {
  load: async (read, { scope, personId }: { scope: string; personId: string | null }) =>
    personId && read.maybe(roleGrants, { scope, person_id: personId, role: 'owner' }),
  decide: (work, row, { scope, personId }) => {
    if (personId !== null)
      grantRoles(work, row ? [row] : [], { scope, personId, roles: ['owner'], by: null });
    return { value: null };
  },
});

/** Makes the maker of a Tenant its owner; a program's belongs to the sandbox's sample person alone. */
async function grantOwner(
  { platformEngine }: Service,
  { actor, tenantId: of }: Caller,
  scope: string,
): Promise<void> {
  const act = { act: actOf(createContract), record: scope, scope: of };
  const input = { scope, personId: actor.personId };
  await platformEngine.submit(owning, { tenantId: platformId, actor, act, input });
}

/** POST /portal/api/sandbox/tenants (rules/sandbox#38) @throws ApiError sandbox_only */
export const createSandboxTenant =
  (service: Service, sample: Sample | null) =>
  async (
    caller: Caller,
    { name, sample: withSample = true }: BodyOf<typeof createContract>,
  ): Promise<NewSandboxTenant> => {
    if (sample === null) throw fail('sandbox_only');
    const settings = withSample ? sample.settings : {};
    const { tenantId, facts } = await createTenant(service, { name, settings }, caller.actor);
    if (withSample) await sample.seed(tenantId);
    await grantOwner(service, caller, tenantId);
    const { client_id, client_secret, webhook_secret, base_url } = facts;
    return {
      id: tenantId,
      object: 'tenant',
      name,
      client_id,
      client_secret,
      webhook_secret,
      base_url,
    };
  };

/**
 * POST /portal/api/sandbox/reset: a fresh Tenant is made and filled first, and takes the place of the
 * old one in one transaction, with a row of the audit in the chain of each (rules/sandbox#39).
 * @throws ApiError sandbox_only; parameter_invalid, reason `not_the_name`; invalid_state
 */
export const resetSandbox =
  (service: Service, sample: Sample | null, dispatcher: Dispatcher) =>
  async (
    { tenantId: from, actor, db }: Caller,
    { name }: BodyOf<typeof resetContract>,
  ): Promise<SandboxReset> => {
    if (sample === null) throw fail('sandbox_only');
    if ((await nameOfScope(service.pool, from)) !== name)
      throw fail('parameter_invalid', { param: 'name', details: { reason: 'not_the_name' } });
    await suspensionOf(db, from);
    const to = await createUnreachable(service, { name, settings: sample.settings }, actor);
    await sample.seed(to);
    const reset: SandboxReset = { id: to, object: 'tenant', name, replaced_id: from };
    const entry = { actor, act: actOf(resetContract), record: to, after: reset };
    await beside(
      service,
      () => [from, to].map((scope) => ({ ...entry, scope })),
      (tx) => takeOver(tx, service.vault, { from, to }, instantOf(service.clocks.realNow())),
    );
    for (const tenantId of [from, to]) dispatcher.forgetSecrets(tenantId);
    for (const kind of ['first', 'further'] as const) {
      dispatcher.delivers(from, false, kind);
      dispatcher.delivers(to, true, kind);
    }
    return reset;
  };
