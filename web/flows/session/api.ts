import type { BodyOf, ParamsOf, SuccessOf } from '@tenant-payments/contract/core/endpoint.ts';
import type {
  HostedEndpointId,
  hostedEndpoints,
} from '@tenant-payments/contract/hosted/catalog.ts';

type Endpoints = typeof hostedEndpoints;

/**
 * By operation. The types check them against the catalog, whose schemas would be larger than the
 * pages.
 */
const paths: { readonly [K in HostedEndpointId]: Endpoints[K]['path'] } = {
  openSession: '/hosted/api/open',
  viewSession: '/hosted/api/session',
  keepAlive: '/hosted/api/alive',
  leaveSession: '/hosted/api/leave',
  takeResult: '/hosted/api/result',
  confirmByPin: '/hosted/api/confirm/pin',
  passkeyChallenge: '/hosted/api/confirm/passkey/options',
  confirmByPasskey: '/hosted/api/confirm/passkey',
  declineRecord: '/hosted/api/confirm/decline',
  newPasskeyOptions: '/hosted/api/passkeys/options',
  addPasskey: '/hosted/api/passkeys',
  proveByPin: '/hosted/api/proof/pin',
  proofChallenge: '/hosted/api/proof/passkey/options',
  proveByPasskey: '/hosted/api/proof/passkey',
  removePasskey: '/hosted/api/passkeys/:id/remove',
  finishPasskeys: '/hosted/api/passkeys/finish',
  sendCode: '/hosted/api/code',
  checkCode: '/hosted/api/code/check',
  submitOnboarding: '/hosted/api/onboarding',
  nameOwner: '/hosted/api/owners',
  inviteOwnerAgain: '/hosted/api/owners/:id/invite',
  resetPin: '/hosted/api/pin-reset',
  changeContact: '/hosted/api/contact',
  readDocuments: '/hosted/api/documents',
  decideTerms: '/hosted/api/terms',
  openOwnerLink: '/hosted/api/owner/open',
  submitOwner: '/hosted/api/owner',
  openBank: '/hosted/api/bank/open',
  chooseAccount: '/hosted/api/bank',
};

const reads: readonly HostedEndpointId[] = ['viewSession', 'readDocuments'];

/** Why an operation failed. */
export type Failure =
  | { readonly kind: 'offline'; readonly requestId: null }
  | { readonly kind: 'service'; readonly requestId: string | null }
  | { readonly kind: 'busy'; readonly requestId: string | null; readonly seconds: number }
  | { readonly kind: 'lost'; readonly requestId: string | null }
  | {
      readonly kind: 'refused';
      readonly requestId: string | null;
      readonly code: string;
      readonly param: string | null;
      readonly reason: string | null;
      /** For invalid_state: the present status of the session or record. */
      readonly currentStatus: string | null;
    };

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The reply of an operation. */
export type Success<K extends HostedEndpointId> = SuccessOf<Endpoints[K]>;
/** The input of an operation. */
export type Input<K extends HostedEndpointId> = BodyOf<Endpoints[K]> & ParamsOf<Endpoints[K]>;

interface ErrorBody {
  readonly code?: string;
  readonly param?: string | null;
  readonly request_id?: string;
  readonly details?: { readonly [fact: string]: unknown } | null;
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What an error reply means for the page. */
export function failureOf(status: number, error: ErrorBody, retryAfter: string | null): Failure {
  const requestId = error.request_id ?? null;
  if (status === 401) return { kind: 'lost', requestId };
  if (status === 429) return { kind: 'busy', requestId, seconds: Number(retryAfter) || 10 };
  if (status >= 500 || error.code === undefined) return { kind: 'service', requestId };
  return {
    kind: 'refused',
    requestId,
    code: error.code,
    param: error.param ?? null,
    reason: textOr(error.details?.reason),
    currentStatus: textOr(error.details?.current_status),
  };
}

const timeoutMs = 30_000;

/** Calls the service; the bearer token is kept in this closure and nowhere else. */
export interface Api {
  call<K extends HostedEndpointId>(id: K, input: Input<K>): Promise<Answer<Success<K>>>;
  take(bearer: string): void;
}

/** @param report is called with every failure, which carries the id of the request */
export function openApi(report: (failure: Failure) => void): Api {
  let bearer: string | null = null;

  async function answerOf<T>(reply: Response): Promise<Answer<T>> {
    const body: unknown = await reply.json().catch(() => ({}));
    if (reply.ok) return { ok: true, value: body as T };
    const { error = {} } = body as { error?: ErrorBody };
    return {
      ok: false,
      failure: failureOf(reply.status, error, reply.headers.get('retry-after')),
    };
  }

  async function request<T>(path: string, method: string, body: object): Promise<Answer<T>> {
    try {
      const reply = await fetch(path, {
        method,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      return await answerOf<T>(reply);
    } catch {
      return { ok: false, failure: { kind: 'offline', requestId: null } };
    }
  }

  return {
    take(given) {
      bearer = given;
    },
    async call(id, input) {
      const { id: recordId = '', ...rest } = input as { id?: string };
      const isInPath = paths[id].includes(':id');
      const answer = await request<Success<typeof id>>(
        paths[id].replace(':id', encodeURIComponent(recordId)),
        reads.includes(id) ? 'GET' : 'POST',
        isInPath ? rest : input,
      );
      if (!answer.ok) report(answer.failure);
      return answer;
    },
  };
}
