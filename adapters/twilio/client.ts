import type { MessageFailure } from '@tenant-payments/service/rails/messages.ts';
import twilio from 'twilio';

const usual = 'https://api.twilio.com';
/** Less than a call of the rails may take. */
const timeoutMs = 8_000;

/** Twilio's client, at another origin where a test or a region has one. */
export function openClient(accountSid: string, token: string, origin: string = usual) {
  class Client extends twilio.RequestClient {
    override request<T>(options: Parameters<twilio.RequestClient['request']>[0] & { data?: T }) {
      const uri = options.uri.replace(usual, origin);
      return super.request<T>({ ...options, uri });
    }
  }
  const httpClient = new Client({ timeout: timeoutMs, autoRetry: false });
  return twilio(accountSid, token, { httpClient });
}

/** Codes of Twilio about the recipient alone, of calls and of callbacks (twilio.com/docs/api/errors). */
const failures: Readonly<Record<string, MessageFailure>> = {
  21211: 'undeliverable', // no number
  21217: 'undeliverable', // no number
  21610: 'opted_out', // the recipient has sent STOP
  21612: 'undeliverable', // no way there from our numbers
  21614: 'undeliverable', // no mobile number
  21635: 'undeliverable', // a landline
  30003: 'bounced', // switched off, or out of reach
  30005: 'bounced', // nobody has it
  30006: 'bounced', // a landline, or a carrier that takes none
};

export const failureOfCode = (code: unknown): MessageFailure | null =>
  failures[String(code)] ?? null;

/**
 * The error for a fault of Twilio: `Refused` where it refuses for ever, else an error by which it is tried again,
 * without the number.
 */
export function faultOf(thrown: unknown): Error {
  const { code, status } = thrown as { readonly code?: unknown; readonly status?: unknown };
  const reason = failureOfCode(code);
  if (reason !== null) return Object.assign(new Error(String(code)), { name: 'Refused', reason });
  return typeof status === 'number'
    ? new Error(`Twilio answers ${status} (${Number(code) || 'no code'})`)
    : new Error(`Twilio cannot be reached (${typeof code === 'string' ? code : 'no answer'})`);
}
