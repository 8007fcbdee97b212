import { open } from '@tenant-payments/sdk-browser';
import type { SessionOutcome } from '../records.ts';

/** The service's details of a refusal; amounts are cents. */
interface Details {
  readonly reason?: string;
  readonly limit?: string;
  readonly maximum?: number;
  readonly used?: number;
  readonly resets_at?: string;
  readonly available?: number;
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly details?: Details | null;
  readonly request_id?: string | null;
}

/** Why an action failed, in the service's words. */
export class ShopError extends Error {
  readonly code: string;
  readonly details: Details;
  readonly requestId: string | null;

  constructor({ code, message, details, request_id }: ErrorBody) {
    super(message ?? 'it did not work');
    this.code = code ?? 'unknown';
    this.details = details ?? {};
    this.requestId = request_id ?? null;
  }
}

/** Calls an action of the shop's server. @throws ShopError with the error code of the service */
export async function callShop<T = unknown>(action: string, input: object = {}): Promise<T> {
  const reply = await fetch(`/shop/api/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  }).catch(() => null);
  if (!reply) throw new ShopError({ code: 'offline', message: 'The shop does not answer.' });
  const body = await reply.json();
  if (!reply.ok) throw new ShopError(body);
  return body as T;
}

/** How a hosted page ended; the shop's server gets the outcome by exchanging the result. */
export interface FlowEnd {
  readonly outcome: SessionOutcome | null;
  /** Null: finished, or left by choice. */
  readonly error: string | null;
}

/** The customer's choice at Sandbox Bank. */
export interface Choice {
  readonly text: string;
  /** The chosen account, where the bank has several. */
  readonly account: string | null;
}

/**
 * Opens Sandbox Bank by its link token, like an aggregator's widget; null when the customer left.
 */
export function choose(baseUrl: string, token: string, locale: string): Promise<Choice | null> {
  return new Promise((resolve) => {
    open({
      baseUrl,
      token,
      locale,
      mode: 'modal',
      onSuccess(text, meta) {
        const account = 'aggregator_account_id' in meta ? meta.aggregator_account_id : null;
        resolve({ text, account: typeof account === 'string' ? account : null });
      },
      onExit: () => resolve(null),
    });
  });
}

/**
 * Opens a hosted flow, over the shop's page or in its own window, and lets the shop's server
 * exchange the result.
 */
export async function openFlow(
  baseUrl: string,
  token: string,
  locale: string,
  mode: 'modal' | 'popup' = 'modal',
): Promise<FlowEnd> {
  const { result, error } = await new Promise<{ result: string | null; error: string | null }>(
    (resolve) => {
      open({
        baseUrl,
        token,
        locale,
        mode,
        onSuccess: (given) => resolve({ result: given, error: null }),
        onExit: (failure, { result_token }) =>
          resolve({ result: result_token, error: failure?.message ?? null }),
      });
    },
  );
  if (result === null) return { outcome: null, error };
  return { outcome: await callShop<SessionOutcome>('exchange', { text: result }), error };
}
