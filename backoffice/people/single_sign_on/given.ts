import { fail } from '@tenant-payments/engine/fail.ts';
import type { Obey } from '@tenant-payments/engine/production.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { urlFault } from '@tenant-payments/service/webhooks/send/address.ts';
import type { Client, Providers } from './provider.ts';
import { clientOf, isSame, providerOf } from './providers.ts';
import { failures, SignOnFailed } from './words.ts';

/** A provider as somebody sets it. */
export interface Given {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly required?: boolean;
  readonly trust_email?: boolean;
}

const refusedIssuer = (reason: string, message?: string) =>
  fail('parameter_invalid', {
    param: 'issuer',
    details: { reason },
    ...(message === undefined ? {} : { message }),
  });

/** @throws ApiError parameter_invalid, parameter_missing */
export async function clientGiven(
  service: Service,
  scope: string,
  given: Given,
  obey: Obey,
): Promise<Client> {
  const { issuer, client_id } = given;
  obey('local_issuer', (environment) => {
    const fault = urlFault(issuer, environment);
    return fault && refusedIssuer(fault);
  });
  const { search, hash } = new URL(issuer);
  if (search !== '' || hash !== '') throw refusedIssuer('malformed');
  const before = await providerOf(service.control, scope);
  const kept = isSame(before, given) ? clientOf(service, before).clientSecret : undefined;
  const clientSecret = given.client_secret ?? kept;
  if (clientSecret === undefined) throw fail('parameter_missing', { param: 'client_secret' });
  return { issuer, clientId: client_id, clientSecret };
}

/** @throws ApiError parameter_invalid, with why it cannot be used */
export async function assertDiscovered(providers: Providers, client: Client): Promise<void> {
  try {
    await providers.read(client);
  } catch (error) {
    if (error instanceof SignOnFailed) throw refusedIssuer(error.failure, failures[error.failure]);
    throw error;
  }
}
