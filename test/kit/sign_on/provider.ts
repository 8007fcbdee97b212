import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Context } from 'oidc-provider';
import { afterAll } from 'vitest';

/** Claims in the answer for user information. */
export interface Account {
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
  /** Claims in the ID token, as many providers have them. */
  readonly idToken?: Omit<Account, 'idToken'>;
}

/** A real identity provider over HTTP, whose people sign in as the test says. */
export interface TestProvider {
  readonly issuer: string;
  /** The secret of each client that it knows. */
  readonly secret: string;
  /** The person who answers its sign-in page next, and from then on; null: somebody who cancels. */
  subject: string | null;
  readonly accounts: Map<string, Account>;
  /** Lets a client's browser come back to these addresses. */
  allow(clientId: string, redirectUris: readonly string[]): void;
}

const secret = 'a-client-secret-of-the-tests-of-single-sign-on';

/** Opened on a port of its own; it stops after the tests of the file. */
export async function openProvider() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close().closeAllConnections());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = new Map<string, readonly string[]>();
  const accounts = new Map<string, Account>();

  function build(): Provider {
    const made: Provider = new Provider(issuer, {
      clients: [...clients].map(([client_id, redirect_uris]) => ({
        client_id,
        client_secret: secret,
        redirect_uris,
      })),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_: Context, accountId: string) => ({
        accountId,
        claims(use: string) {
          const { idToken, ...userInfo } = accounts.get(accountId) ?? {};
          return { sub: accountId, ...(use === 'id_token' ? idToken : userInfo) };
        },
      }),
      interactions: { url: () => '/interaction' },
      async loadExistingGrant({ oidc: { client, session } }: Context) {
        const { clientId } = client;
        const grant = new made.Grant({ clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    return made;
  }

  let provider = build();
  const opened: TestProvider = {
    issuer,
    secret,
    subject: null,
    accounts,
    allow(clientId, redirectUris) {
      clients.set(clientId, redirectUris);
      provider = build();
    },
  };
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction')) return provider.callback()(request, response);
    const { subject } = opened;
    const result =
      subject === null
        ? { error: 'access_denied', error_description: 'canceled' }
        : { login: { accountId: subject } };
    void provider.interactionFinished(request, response, result);
  });
  // Its first answer takes long on a busy machine; the service gives a provider five seconds.
  const first = await fetch(`${issuer}/.well-known/openid-configuration`);
  await first.text();
  return opened;
}
