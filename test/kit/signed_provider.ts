import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BankOutcome } from '../../service/rails/facts.ts';
import {
  Malformed,
  type PollResult,
  type Provider,
  type ProviderContext,
  type Receipt,
  Unverified,
} from '../../service/rails/providers/provider.ts';

/** An event that the provider of tests sends: an answer of a bank to an order. */
export interface BankEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly orderId: string;
  readonly answer: BankOutcome;
}

const secret = 'whose messages these are';
const longestAgeSeconds = 300;

const signature = (at: number, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');

export const receiptOf = ({ id, tenantId, orderId, answer }: BankEvent): Receipt => ({
  id,
  tenantId,
  port: 'bank',
  fact: { id, orderId, ...answer },
});

/** A bank whose messages are signed with their time; `{events: […]}`, or one event. */
export function signedProvider() {
  const heard = {
    /** Thrown in place of a reading. */
    fault: null as Error | null,
    polls: [] as (string | null)[],
    poll: async (_cursor: string | null, _context: ProviderContext): Promise<PollResult> => ({
      cursor: null,
      receipts: [],
    }),
  };
  const provider: Provider = {
    name: 'signed',
    keptHeaders: ['X-Time'],
    check: async () => [{ ok: true, what: 'signed in', advice: null }],
    async receive({ headers, rawBody }) {
      if (heard.fault) throw heard.fault;
      const at = Number(headers['x-time']);
      const given = Buffer.from(headers['x-signature'] ?? '');
      const wanted = Buffer.from(signature(at, rawBody));
      const isOld = !(Math.abs(Date.now() / 1_000 - at) < longestAgeSeconds);
      if (isOld || given.length !== wanted.length || !timingSafeEqual(given, wanted))
        throw new Unverified('no signature of the bank');
      try {
        const message = JSON.parse(Buffer.from(rawBody).toString('utf8'));
        return (message.events ?? [message]).map(receiptOf);
      } catch {
        throw new Malformed('not JSON');
      }
    },
    poll: {
      everySeconds: 60,
      run(cursor, context) {
        heard.polls.push(cursor);
        return heard.poll(cursor, context);
      },
    },
  };
  return { provider, heard };
}

export interface Sending {
  /** Seconds since it was signed. */
  readonly ageSeconds?: number;
  /** In place of the right one. */
  readonly signature?: string;
  readonly name?: string;
}

/** Sends a message as the bank would. @returns status and body of the answer */
export async function sendSigned(
  baseUrl: string,
  message: object | Uint8Array,
  { ageSeconds = 0, signature: forged, name = 'signed' }: Sending = {},
) {
  const body = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  const at = Math.floor(Date.now() / 1_000) - ageSeconds;
  const reply = await fetch(`${baseUrl}/rails/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-time': String(at),
      'x-signature': forged ?? signature(at, body),
    },
    body,
  });
  const text = await reply.text();
  return { status: reply.status, body: JSON.parse(text), headers: reply.headers };
}
