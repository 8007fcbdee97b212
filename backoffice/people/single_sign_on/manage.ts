import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { platformApprovalNeeded } from '../../approvals/platform/needed.ts';
import {
  getSingleSignOn,
  putSingleSignOn,
  removeSingleSignOn,
} from '../../contract/people/single_sign_on.ts';
import { platform } from '../scope.ts';
import type { Call, PersonServing } from '../serve.ts';
import { assertDiscovered, clientGiven } from './given.ts';
import type { Providers } from './provider.ts';
import { showProvider } from './providers.ts';
import { facts, replaceProvider, takeProvider } from './replace.ts';

/** Who sets up single sign-on: an owner for the Tenant, two admins for the platform. */

/** Where the caller acts, also for staff who name a Tenant: a Tenant's provider is its owner's. */
const scopeOf = ({ request: { signedIn, tenantId } }: Call): string =>
  signedIn?.scope ?? (tenantId === '' ? platform : tenantId);

export function serveProvider(
  { serve }: PersonServing,
  service: Service,
  providers: Providers,
): void {
  const { control, config } = service;

  /** @throws ApiError invalid_state {reason: approval_required} */
  const assertAlone = (scope: string, move: 'set' | 'remove'): void => {
    if (config.approvals && scope === platform)
      throw platformApprovalNeeded('single-sign-on', move);
  };

  serve(getSingleSignOn, (call) => showProvider(control, service, scopeOf(call)));

  serve(putSingleSignOn, async (call, given) => {
    const scope = scopeOf(call);
    const client = await clientGiven(service, scope, given);
    await assertDiscovered(providers, client);
    assertAlone(scope, 'set');
    const { required = false, trust_email: trustEmail = false } = given;
    await call.act(
      (connection) => {
        const stored = { scope, client, required, trustEmail };
        return replaceProvider(connection, service, stored, call.request.signedIn?.id);
      },
      (before) => ({
        event: 'single_sign_on_set',
        facts: { scope, required: String(required), trust_email: String(trustEmail) },
        record: null,
        scope,
        ...(before && { before: facts(before) }),
        after: facts({
          issuer: client.issuer,
          client_id: client.clientId,
          required,
          trust_email: trustEmail,
        }),
      }),
    );
    return showProvider(control, service, scope);
  });

  serve(removeSingleSignOn, async (call) => {
    const scope = scopeOf(call);
    assertAlone(scope, 'remove');
    const remove = (connection: Queryable) =>
      takeProvider(connection, service, scope, call.request.signedIn?.id);
    await call.act(remove, (before) => ({
      event: 'single_sign_on_removed',
      facts: { scope },
      record: null,
      scope,
      ...(before && { before: facts(before) }),
    }));
    return showProvider(control, service, scope);
  });
}
