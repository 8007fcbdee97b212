import type { MessageFact } from '@tenant-payments/service/rails/facts.ts';
import type {
  ProviderRequest,
  Receipt,
} from '@tenant-payments/service/rails/providers/provider.ts';
import twilio from 'twilio';
import { failureOfCode } from './client.ts';

/** The address where Twilio reports the fate of a message: its signature covers the whole address. */
export const callbackOf = (at: string, tenantId: string, messageId: string): string =>
  `${at}?tenant=${tenantId}&message=${messageId}`;

const named = (name: 'Unverified' | 'Malformed', text: string): Error =>
  Object.assign(new Error(text), { name });

interface Status {
  readonly sid: string;
  readonly status: string;
  readonly errorCode: string | null;
}

interface Of {
  readonly tenantId: string;
  readonly messageId: string;
}

/** The last word on a message; null: there will be more. */
function outcomeOf({ status, errorCode }: Status): Pick<MessageFact, 'outcome' | 'reason'> | null {
  if (status === 'delivered' || status === 'read') return { outcome: 'delivered' };
  if (status !== 'failed' && status !== 'undelivered') return null;
  const outcome = failureOfCode(errorCode) ?? 'undeliverable';
  return { outcome, ...(errorCode !== null && { reason: errorCode }) };
}

/** The receipt is the same whether it was sent or asked for. */
export function receiptOf(status: Status, { tenantId, messageId }: Of): readonly Receipt[] {
  const told = outcomeOf(status);
  if (!told) return [];
  const id = `${status.sid} ${told.outcome}`;
  return [{ id, tenantId, port: 'messages', fact: { id, messageId, ...told } }];
}

/**
 * Reads what Twilio has sent.
 * @param at the address that it was given, without its query
 * @throws Unverified, Malformed
 */
export function readCallback(
  { headers, rawBody, query }: ProviderRequest,
  { at, tokens }: { readonly at: string; readonly tokens: readonly string[] },
): readonly Receipt[] {
  const { tenant: tenantId = '', message: messageId = '' } = query;
  const address = callbackOf(at, tenantId, messageId);
  const form = Object.fromEntries(new URLSearchParams(Buffer.from(rawBody).toString('utf8')));
  const signature = headers['x-twilio-signature'] ?? '';
  const isSigned = tokens.some((token) => twilio.validateRequest(token, signature, address, form));
  if (!isSigned) throw named('Unverified', 'the signature is not of this account');
  const { MessageSid: sid, MessageStatus: status, ErrorCode: errorCode = null } = form;
  if (!sid || !status || !tenantId || !messageId)
    throw named('Malformed', 'it names no message or no status');
  return receiptOf({ sid, status, errorCode }, { tenantId, messageId });
}
