import type { Client, RawRequest } from '@tenant-payments/sdk-server';
import { type LegalText, nextTerms } from './terms.ts';

/**
 * The portal's JSON (`/docs/reference` of the service lists it): settings, the webhook endpoint, and
 * what only a sandbox has. The SDK has no methods for it, so `client.request` calls it.
 */

export interface WebhookEndpoint {
  readonly url: string | null;
}

/** The registered addresses of the Tenant, each a list that is replaced as a whole. */
export type Addresses = Readonly<
  Record<'return_urls' | 'frame_origins' | 'link_redirect_uris', readonly string[]>
>;

/** In cents by name; null: none. */
type Limits = Readonly<Record<string, { readonly individual: number | null }>>;

/** Shares from 0 to 1 of the events or calls that a sandbox disturbs. */
export type Chaos = Readonly<
  Record<'duplicate' | 'out_of_order' | 'fail_first_attempt' | 'api_503' | 'seed', number>
>;

/** ISO 8601: the Tenant's clock and real time. */
export type Clock = Readonly<Record<'now' | 'real_now', string>>;

/** One posting of the ledger; cents. `account_id` is null for the Tenant's own accounts. */
export interface Entry {
  readonly id: string;
  readonly account_id: string | null;
  readonly pocket: string;
  readonly delta: number;
  readonly step: string;
  readonly source_id: string;
}

/** The check of all rules of the ledger: how many rows it read, and whether every rule holds. */
export interface LedgerCheck {
  readonly ok: boolean;
  readonly checked: number;
}

interface List<T> {
  readonly data: readonly T[];
}

/** The clock answers within a minute. */
const advanceTimeoutMs = 65_000;

/** The portal's operations that the shop uses. They reject like every method of the client. */
export function openPortal(client: Client) {
  const call = <T>(
    method: RawRequest['method'],
    path: string,
    sent: Pick<RawRequest, 'query' | 'body' | 'idempotent'>,
    timeoutMs?: number,
  ) =>
    client.request<T>(
      { method, path: `/portal/api/${path}`, idempotent: false, ...sent },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  const get = <T>(path: string, query: object = {}) => call<T>('GET', path, { query });
  const put = <T>(path: string, body: object) => call<T>('PUT', path, { body });
  return {
    webhookEndpoint: () => get<WebhookEndpoint>('webhook-endpoint'),
    setWebhookEndpoint: (url: string) => put<WebhookEndpoint>('webhook-endpoint', { url }),
    settings: () => get<Addresses & { readonly limits: Limits }>('settings'),
    setSettings: (changes: Partial<Addresses>) => put<Addresses>('settings', changes),
    chaos: () => get<Chaos>('chaos'),
    setChaos: (rates: Partial<Chaos>) => put<Chaos>('chaos', rates),
    clock: () => get<Clock>('clock'),
    advance: (to: { readonly seconds: number } | { readonly to: string }) =>
      call<Clock>('POST', 'clock/advance', { body: to }, advanceTimeoutMs),
    verifyLedger: () => get<LedgerCheck>('ledger/verify'),
    entriesOf: async (source_id: string) =>
      (await get<List<Entry>>('ledger/entries', { source_id })).data,
    requestBy: async (request_id: string) =>
      (await get<List<unknown>>('requests', { request_id })).data[0],
    attemptsOf: async (event: string) => (await get<List<unknown>>(attemptsPath(event))).data,
    publishTerms: async () => {
      const document_type = 'digital_account_terms';
      const versions = await get<List<LegalText>>('legal-texts', {
        document_type,
      });
      const [latest] = versions.data;
      if (!latest) throw new Error('every document has a version');
      return call('POST', `review/documents/${document_type}/publish`, {
        body: { note: 'from Corner Shop', ...nextTerms(latest) },
        idempotent: true,
      });
    },
  };
}

export type Portal = ReturnType<typeof openPortal>;

const attemptsPath = (event: string) => `events/${encodeURIComponent(event)}/attempts`;
