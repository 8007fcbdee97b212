import {
  getSingleSignOn,
  putSingleSignOn,
  removeSingleSignOn,
} from '@tenant-payments/contract/portal/people/single_sign_on.ts';
import { fail } from '../../core/fail.ts';
import type { Service } from '../../service.ts';
import { urlFault } from '../../webhooks/send/address.ts';
import { lockPeople, platform, type Queryable } from '../scope.ts';
import type { Call, PersonServing } from '../serve.ts';
import { endSessions } from '../sessions/sessions.ts';
import type { Client, Providers } from './provider.ts';
import {
  clientOf,
  forgetIdentities,
  isSame,
  type ProviderRow,
  providerOf,
  showProvider,
  storeProvider,
} from './providers.ts';
import { failures, SignOnFailed } from './words.ts';

/** Who sets up single sign-on: an owner for the Tenant, an admin for the platform. */

interface Given {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly required?: boolean;
  readonly trust_email?: boolean;
}

/** Where the caller acts, also for staff who name a Tenant: a Tenant's provider is its owner's. */
const scopeOf = ({ request: { signedIn, tenantId } }: Call): string =>
  signedIn?.scope ?? (tenantId === '' ? platform : tenantId);

const refusedIssuer = (reason: string, message?: string) =>
  fail('parameter_invalid', {
    param: 'issuer',
    details: { reason },
    ...(message === undefined ? {} : { message }),
  });

/** @throws ApiError parameter_invalid, parameter_missing */
async function clientGiven(service: Service, scope: string, given: Given): Promise<Client> {
  const { issuer, client_id } = given;
  const fault = urlFault(issuer, service.environment);
  if (fault !== null) throw refusedIssuer(fault);
  const { search, hash } = new URL(issuer);
  if (search !== '' || hash !== '') throw refusedIssuer('malformed');
  const before = await providerOf(service.control, scope);
  const kept = isSame(before, given) ? clientOf(service, before).clientSecret : undefined;
  const clientSecret = given.client_secret ?? kept;
  if (clientSecret === undefined) throw fail('parameter_missing', { param: 'client_secret' });
  return { issuer, clientId: client_id, clientSecret };
}

type Shown = Pick<ProviderRow, 'issuer' | 'client_id' | 'required' | 'trust_email'>;

/** What the audit shows of a provider. */
const facts = ({ issuer, client_id, required, trust_email }: Shown): Shown => ({
  issuer,
  client_id,
  required,
  trust_email,
});

/** @throws ApiError parameter_invalid, with why it cannot be used */
async function assertDiscovered(providers: Providers, client: Client): Promise<void> {
  try {
    await providers.read(client);
  } catch (error) {
    if (error instanceof SignOnFailed) throw refusedIssuer(error.failure, failures[error.failure]);
    throw error;
  }
}

export function serveProvider(
  { serve }: PersonServing,
  service: Service,
  providers: Providers,
): void {
  const { control } = service;

  /** What was opened by a provider ends with it, except the session that removes it. */
  const endOpened = (connection: Queryable, call: Call, scope: string) => {
    const { signedIn } = call.request;
    const but = signedIn ? { butId: signedIn.id } : {};
    const which = { scope, openedBy: 'single_sign_on', ...but } as const;
    return endSessions(connection, service, which, 'single_sign_on_changed');
  };

  serve(getSingleSignOn, (call) => showProvider(control, service, scopeOf(call)));

  serve(putSingleSignOn, async (call, given) => {
    const scope = scopeOf(call);
    const client = await clientGiven(service, scope, given);
    await assertDiscovered(providers, client);
    const { required = false, trust_email: trustEmail = false } = given;
    await call.act(
      async (connection) => {
        await lockPeople(connection);
        const before = await providerOf(connection, scope);
        await storeProvider(connection, service, { scope, client, required, trustEmail });
        if (!isSame(before, given)) await endOpened(connection, call, scope);
        return before;
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
    const remove = async (connection: Queryable) => {
      await lockPeople(connection);
      const before = await providerOf(connection, scope);
      await connection.query('delete from control.identity_providers where scope = $1', [scope]);
      await forgetIdentities(connection, scope);
      await endOpened(connection, call, scope);
      return before;
    };
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
