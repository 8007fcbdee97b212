import type { Service } from '@tenant-payments/service/service.ts';
import {
  getSingleSignOn,
  putSingleSignOn,
  removeSingleSignOn,
} from '../../contract/people/single_sign_on.ts';
import { personCommand } from '../person_command.ts';
import { platform } from '../scope.ts';
import { platformApprovalNeeded } from '../second_admin_needed.ts';
import type { Call, PersonServing } from '../serve.ts';
import { assertDiscovered, clientGiven } from './given.ts';
import type { Providers } from './provider.ts';
import { type Stored, showProvider } from './providers.ts';
import { loadProvider, replaceProvider, takeProvider } from './replace.ts';

/** The people who set up single sign-on: an owner for the Tenant, two admins for the platform. */

/** The scope where the caller acts, also for staff who name a Tenant: a Tenant's provider is its owner's. */
const scopeOf = ({ request: { signedIn, tenantId } }: Call): string =>
  signedIn?.scope ?? (tenantId === '' ? platform : tenantId);

interface Changing {
  readonly scope: string;
  /** The session that does it. */
  readonly butId: string | undefined;
}

/** PUT /portal/api/single-sign-on @throws ApiError invalid_state */
const setProvider = (service: Pick<Service, 'vault'>) =>
  personCommand('set_single_sign_on', {
    load: (read, { scope }: Stored & Changing) => loadProvider(read, scope),
    decide: (work, loaded, stored) => {
      const before = replaceProvider(work, service, loaded, stored);
      const { scope, client, required, trustEmail } = stored;
      const { issuer, clientId: client_id } = client;
      const after = { issuer, client_id, required, trust_email: trustEmail };
      work.audit({ record: null, scope, ...(before && { before }), after });
      const told = { scope, required: String(required), trust_email: String(trustEmail) };
      return { result: null, event: 'single_sign_on_set', facts: told };
    },
  });

/** DELETE /portal/api/single-sign-on */
const remove = personCommand('remove_single_sign_on', {
  load: (read, { scope }: Changing) => loadProvider(read, scope),
  decide: (work, loaded, { scope, butId }) => {
    const before = takeProvider(work, loaded, butId);
    work.audit({ record: null, scope, before });
    return { result: null, event: 'single_sign_on_removed', facts: { scope } };
  },
});

export function serveProvider(
  { serve }: PersonServing,
  service: Service,
  providers: Providers,
): void {
  const { control, config } = service;
  const set = setProvider(service);

  /** @throws ApiError invalid_state {reason: approval_required} */
  const assertAlone = (scope: string, move: 'set' | 'remove'): void => {
    if (config.approvals && scope === platform)
      throw platformApprovalNeeded('single-sign-on', move);
  };

  serve(getSingleSignOn, (call) => showProvider(control, service, scopeOf(call)));

  serve(putSingleSignOn, async (call, given) => {
    const scope = scopeOf(call);
    const client = await clientGiven(service, scope, given, await call.rules());
    await assertDiscovered(providers, client);
    assertAlone(scope, 'set');
    const { required = false, trust_email: trustEmail = false } = given;
    const butId = call.request.signedIn?.id;
    await call.run(set, { scope, client, required, trustEmail, butId });
    return showProvider(control, service, scope);
  });

  serve(removeSingleSignOn, async (call) => {
    const scope = scopeOf(call);
    assertAlone(scope, 'remove');
    await call.run(remove, { scope, butId: call.request.signedIn?.id });
    return showProvider(control, service, scope);
  });
}
