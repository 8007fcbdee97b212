import type {
  PortalEndpointId,
  portalEndpoints,
} from '@tenant-payments/backoffice/contract/catalog.ts';
import type { BodyOf, ParamsOf, SuccessOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type Answer, failureOf } from '../ui/failure.ts';

type Endpoints = typeof portalEndpoints;

/**
 * The calls by operation. Types check them against the catalog, whose schemas would be larger than
 * the page.
 */
const routes = {
  getSession: ['GET', '/portal/api/session'],
  signOut: ['DELETE', '/portal/api/session'],
  actIn: ['POST', '/portal/api/session/act'],
  beginSignIn: ['POST', '/portal/api/sign-in/begin'],
  finishSignIn: ['POST', '/portal/api/sign-in/finish'],
  signInByRecoveryCode: ['POST', '/portal/api/sign-in/recovery'],
  beginSingleSignOn: ['POST', '/portal/api/single-sign-on/begin'],
  beginSingleSignOnStepUp: ['POST', '/portal/api/single-sign-on/step-up'],
  beginSingleSignOnLink: ['POST', '/portal/api/single-sign-on/link'],
  signInByLink: ['POST', '/portal/api/sign-in/link'],
  beginStepUp: ['POST', '/portal/api/step-up/begin'],
  finishStepUp: ['POST', '/portal/api/step-up/finish'],
  listMySessions: ['GET', '/portal/api/my-sessions'],
  endMySession: ['DELETE', '/portal/api/my-sessions/:id'],
  endMyOtherSessions: ['DELETE', '/portal/api/my-sessions'],
  listMyPasskeys: ['GET', '/portal/api/my-passkeys'],
  beginMyPasskey: ['POST', '/portal/api/my-passkeys/begin'],
  addMyPasskey: ['POST', '/portal/api/my-passkeys'],
  nameMyPasskey: ['PUT', '/portal/api/my-passkeys/:id'],
  removeMyPasskey: ['DELETE', '/portal/api/my-passkeys/:id'],
  replaceMyRecoveryCodes: ['POST', '/portal/api/my-recovery-codes'],
  openDeviceSignIn: ['POST', '/portal/api/device-sign-in/open'],
  approveDeviceSignIn: ['POST', '/portal/api/device-sign-in/approve'],
  denyDeviceSignIn: ['POST', '/portal/api/device-sign-in/deny'],
  openInvitation: ['POST', '/portal/api/accept-invitation/open'],
  beginAcceptance: ['POST', '/portal/api/accept-invitation/begin'],
  finishAcceptance: ['POST', '/portal/api/accept-invitation/finish'],
} as const satisfies {
  readonly [K in PortalEndpointId]?: readonly [Endpoints[K]['method'], Endpoints[K]['path']];
};

export type Operation = keyof typeof routes;
export type Input<K extends Operation> = BodyOf<Endpoints[K]> & ParamsOf<Endpoints[K]>;
export type Success<K extends Operation> = SuccessOf<Endpoints[K]>;

const timeoutMs = 30_000;

async function answerOf<T>(reply: Response): Promise<Answer<T>> {
  const body: unknown = await reply.json().catch(() => ({}));
  if (reply.ok) return { ok: true, value: body as T };
  const { error = {} } = body as { error?: Parameters<typeof failureOf>[1] };
  return { ok: false, failure: failureOf(reply.status, error, reply.headers.get('retry-after')) };
}

/**
 * Calls the portal's JSON; the session is the browser's cookie, which no script can read.
 * @param shown the scope that the page shows: refused where the session acts elsewhere by now (rules/sign-in#3)
 */
export async function call<K extends Operation>(
  id: K,
  input: Input<K>,
  shown?: string,
): Promise<Answer<Success<K>>> {
  const [method, path] = routes[id];
  const { id: record, ...rest } = input as { id?: string };
  const hasBody = method === 'POST' || method === 'PUT';
  try {
    const reply = await fetch(path.replace(':id', encodeURIComponent(record ?? '')), {
      method,
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(shown && { 'session-scope': shown }),
      },
      ...(hasBody && { body: JSON.stringify(rest) }),
    });
    return await answerOf<Success<K>>(reply);
  } catch {
    return { ok: false, failure: { kind: 'offline', requestId: null } };
  }
}
