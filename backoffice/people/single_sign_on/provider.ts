import type { Service } from '@tenant-payments/service/service.ts';
import { urlFault } from '@tenant-payments/service/webhooks/send/address.ts';
import { openSender, type Sender } from '@tenant-payments/service/webhooks/send/send.ts';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';
import { SignOnFailed } from './words.ts';

/**
 * A provider over HTTP (rules/single-sign-on#5). Its addresses are chosen by a Tenant, so every
 * connection obeys the rule for webhooks, and no redirect is followed.
 */
export interface Client {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** For one request with its whole answer. */
const timeoutMs = 5_000;
const maximumBytes = 256 * 1024;
/** How long a discovery document and its keys are believed. */
const believedMs = 10 * 60_000;
const believedAtMost = 200;

/** Loaded at the first use: a service without single sign-on needs none of it. */
export const openid = () => import('openid-client');

const openFetch = (sender: Sender) => async (url: string, given: RequestInit) => {
  const headers = Object.fromEntries(new Headers(given.headers));
  const method = given.method === 'POST' ? 'POST' : 'GET';
  const body = given.body ? String(given.body) : '';
  const answer = await sender.send(url, headers, body, method);
  if (answer.status === null || answer.error !== null)
    throw new SignOnFailed(answer.error === 'address_refused' ? 'address' : 'unreachable');
  const empty = answer.status === 204 || answer.status === 304;
  const { status } = answer;
  return new Response(empty ? null : answer.body, { status, headers: answer.headers ?? {} });
};

export type Providers = ReturnType<typeof openProviders>;

export function openProviders({ environment }: Pick<Service, 'environment'>) {
  const sender = openSender({ environment, timeoutMs, maximumBytes });
  const fetching = openFetch(sender);
  const known = new LRUCache<string, Configuration>({ max: believedAtMost, ttl: believedMs });

  /** @throws SignOnFailed */
  function assertUsable(config: Configuration): void {
    const metadata = config.serverMetadata();
    const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
    const { response_types_supported: types, code_challenge_methods_supported: pkce } = metadata;
    if (types && !types.includes('code')) throw new SignOnFailed('no_code_flow');
    // Many providers know PKCE and do not say so.
    if (pkce && !pkce.includes('S256')) throw new SignOnFailed('no_pkce');
    for (const url of [authorization_endpoint, token_endpoint, jwks_uri]) {
      if (typeof url !== 'string') throw new SignOnFailed('no_code_flow');
      if (urlFault(url, environment) !== null) throw new SignOnFailed('address');
    }
  }

  async function discover({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
    const client = await openid();
    const isPlain = issuer.startsWith('http:');
    const found = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [client.customFetch]: fetching,
      timeout: timeoutMs / 1_000,
      execute: isPlain ? [client.allowInsecureRequests] : [],
    });
    assertUsable(found);
    const metadata = found.serverMetadata();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    const authentication = isBasic
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const config = new client.Configuration(metadata, clientId, clientSecret, authentication);
    config[client.customFetch] = fetching;
    config.timeout = timeoutMs / 1_000;
    if (isPlain) client.allowInsecureRequests(config);
    // Else the library trusts an ID token that came by TLS without its signature.
    client.enableNonRepudiationChecks(config);
    return config;
  }

  const keyOf = ({ issuer, clientId, clientSecret }: Client) =>
    JSON.stringify([issuer, clientId, clientSecret]);

  /** Reads its discovery document, whatever is known of it. @throws SignOnFailed */
  async function read(given: Client): Promise<Configuration> {
    if (urlFault(given.issuer, environment) !== null) throw new SignOnFailed('address');
    try {
      const found = await discover(given);
      known.set(keyOf(given), found);
      return found;
    } catch (error) {
      throw failureOf(error, 'not_discovered');
    }
  }

  return {
    read,
    /** @throws SignOnFailed */
    of: async (given: Client): Promise<Configuration> => known.get(keyOf(given)) ?? read(given),
    close: () => sender.close(),
  };
}

/** The failure thrown below the library, else what its own refusal means here. */
export function failureOf(error: unknown, otherwise: 'not_discovered' | 'not_verified') {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof SignOnFailed) return at;
    if (at.name === 'TimeoutError') return new SignOnFailed('unreachable');
    if ('error' in at && at.name === 'AuthorizationResponseError')
      return new SignOnFailed('refused_by_provider');
  }
  return new SignOnFailed(otherwise);
}
