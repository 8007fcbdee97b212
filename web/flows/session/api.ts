import type { BodyOf, ParamsOf, SuccessOf } from '@tenant-payments/contract/core/endpoint.ts';
import type {
  HostedEndpointId,
  hostedEndpoints,
} from '@tenant-payments/contract/hosted/catalog.ts';
import { type Answer, type ErrorBody, type Failure, failureOf } from '../../ui/failure.ts';

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
  giveIdentityDocument: '/hosted/api/identity-documents',
  openIdentityStep: '/hosted/api/identity-step',
  submitOnboarding: '/hosted/api/onboarding',
  nameOwner: '/hosted/api/owners',
  inviteOwnerAgain: '/hosted/api/owners/:id/invite',
  resetPin: '/hosted/api/pin-reset',
  changeContact: '/hosted/api/contact',
  readDocuments: '/hosted/api/documents',
  decideTerms: '/hosted/api/terms',
  openOwnerLink: '/hosted/api/owner/open',
  giveOwnerDocument: '/hosted/api/owner/identity-documents',
  submitOwner: '/hosted/api/owner',
  openBank: '/hosted/api/bank/open',
  chooseAccount: '/hosted/api/bank',
};

const reads: readonly HostedEndpointId[] = ['viewSession', 'readDocuments'];

/** The reply of an operation. */
export type Success<K extends HostedEndpointId> = SuccessOf<Endpoints[K]>;
/** The input of an operation. */
export type Input<K extends HostedEndpointId> = BodyOf<Endpoints[K]> & ParamsOf<Endpoints[K]>;

/** Fields that a release before this one does not know and does without: they only let a call be repeated. */
const spared: readonly string[] = ['opener'];

const timeoutMs = 30_000;
/** Milliseconds for a file of 10 MB on a slow line. */
const uploadMs = 300_000;
const uploads: readonly HostedEndpointId[] = ['giveIdentityDocument', 'giveOwnerDocument'];

/** The address of an operation, its method, and how long its answer is waited for. */
interface Way {
  readonly path: string;
  readonly method: string;
  readonly patienceMs: number;
}

/** Calls the service; the bearer token is kept in this closure and nowhere else. */
export interface Api {
  call<K extends HostedEndpointId>(id: K, input: Input<K>): Promise<Answer<Success<K>>>;
  take(bearer: string): void;
}

/**
 * @param report is called with every failure, which carries the id of the request
 * @param language of the page: a message that it asks for is in it; null: it asks for none
 */
export function openApi(report: (failure: Failure) => void, language: string | null = null): Api {
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

  async function request<T>({ path, method, patienceMs }: Way, body: object): Promise<Answer<T>> {
    try {
      const reply = await fetch(path, {
        method,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(patienceMs),
        headers: {
          ...(language === null ? {} : { 'accept-language': language }),
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

  /** While two releases run side by side, a process of the older one may answer (rules/hosted#56). */
  async function requestOfAny<T>(way: Way, body: object): Promise<Answer<T>> {
    const answer = await request<T>(way, body);
    if (answer.ok || answer.failure.kind !== 'refused') return answer;
    const { reason, param } = answer.failure;
    if (reason !== 'unknown_field' || param === null || !spared.includes(param)) return answer;
    const known = Object.entries(body).filter(([name]) => name !== param);
    return request<T>(way, Object.fromEntries(known));
  }

  return {
    take(given) {
      bearer = given;
    },
    async call(id, input) {
      const { id: recordId = '', ...rest } = input as { id?: string };
      const isInPath = paths[id].includes(':id');
      const way = {
        path: paths[id].replace(':id', encodeURIComponent(recordId)),
        method: reads.includes(id) ? 'GET' : 'POST',
        patienceMs: uploads.includes(id) ? uploadMs : timeoutMs,
      };
      const answer = await requestOfAny<Success<typeof id>>(way, isInPath ? rest : input);
      if (!answer.ok) report(answer.failure);
      return answer;
    },
  };
}
