import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import { Configuration, CountryCode, PlaidApi } from 'plaid';

/** Plaid's own version of what it answers. */
const plaidVersion = '2020-09-14';
/** Less than a call of the rails has (rules/operations#78). */
const timeoutMs = 9_000;
/** The time for a call that is done once: its answer is worth waiting for when nobody else waits any more. */
const longTimeoutMs = 60_000;
const largestReply = 5_000_000;

/**
 * A call that Plaid has not done. It has a code of Plaid's, or one of ours, and nothing of the call: an error of the
 * package holds secrets, tokens and numbers.
 */
export class PlaidFault extends Error {
  override readonly name = 'PlaidFault';
  /** `ITEM_LOGIN_REQUIRED`; `UNREACHABLE` where nothing was answered. */
  readonly code: string;

  constructor(code: string) {
    super(`Plaid: ${code}`);
    this.code = code;
  }
}

interface Keys {
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
}

type Options = {
  readonly signal: AbortSignal;
  readonly headers?: { readonly traceparent: string };
};
type Call<T> = (api: PlaidApi, options: Options) => Promise<{ readonly data: T }>;

export interface Client {
  /** @throws PlaidFault */
  ask<T>(call: Call<T>, given?: RailsCall): Promise<T>;
  /** Waits longer than whoever has called. @throws PlaidFault */
  askOnce<T>(call: Call<T>): Promise<T>;
}

const codeForm = /^[A-Z][A-Z0-9_]{2,60}$/;

/** The code of an error of axios, without the rest of it. */
function codeOf(error: unknown): string {
  const { response } = error as { readonly response?: { status?: number; data?: unknown } };
  const code = (response?.data as { error_code?: unknown } | undefined)?.error_code;
  if (typeof code === 'string' && codeForm.test(code)) return code;
  if (response?.status === 429) return 'RATE_LIMIT';
  return response ? `HTTP_${response.status}` : 'UNREACHABLE';
}

export function openClient({ url, clientId, secret }: Keys): Client {
  const headers = {
    'PLAID-CLIENT-ID': clientId,
    'PLAID-SECRET': secret,
    'Plaid-Version': plaidVersion,
  };
  const baseOptions = { headers, maxRedirects: 0, maxContentLength: largestReply };
  const api = new PlaidApi(new Configuration({ basePath: url, baseOptions }));
  async function answerOf<T>(call: Call<T>, options: Options): Promise<T> {
    const { data } = await call(api, options).catch((error: unknown) => {
      throw new PlaidFault(codeOf(error));
    });
    if (typeof data !== 'object' || data === null) throw new PlaidFault('UNREADABLE');
    return data;
  }
  return {
    ask(call, given) {
      const late = AbortSignal.timeout(timeoutMs);
      const signal = given ? AbortSignal.any([given.signal, late]) : late;
      const { traceparent } = given ?? {};
      return answerOf(call, { signal, ...(traceparent && { headers: { traceparent } }) });
    },
    askOnce: (call) => answerOf(call, { signal: AbortSignal.timeout(longTimeoutMs) }),
  };
}

/** A bank that Plaid has everywhere: asking for it costs nothing. */
const anyBank = { institution_id: 'ins_56', country_codes: [CountryCode.Us] };

/** Asks Plaid for what is about nobody. @throws PlaidFault */
export const askAnyBank = ({ ask }: Client, call: RailsCall) =>
  ask((api, options) => api.institutionsGetById(anyBank, options), call);

/** Whether Plaid has answered one of these codes. */
export const isFault = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof PlaidFault && codes.includes(error.code);
