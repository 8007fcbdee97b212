import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { MessageLocale } from '../../../rails/messages.ts';
import { maskedEmail, maskedMobile } from '../masks.ts';
import type { CustomerRow } from '../table.ts';
import { type CustomerMessageRow, customerMessages, messageFacts } from './table.ts';
import type { FactsOf, MessageKind, OnceKind } from './texts.ts';

/** The contact for messages to a customer: the address, and the number as it is stored. */
export type Contact = Pick<CustomerRow, 'email' | 'mobile_hmac' | 'mobile_sealed' | 'mobile_last4'>;

/** The customer's contact now; taken before a change, it is the old one. */
export const contactOf = ({
  email,
  mobile_hmac,
  mobile_sealed,
  mobile_last4,
}: CustomerRow): Contact => ({ email, mobile_hmac, mobile_sealed, mobile_last4 });

const nobody = { email: null, mobile_hmac: null, mobile_sealed: null } as const;
const notOver = {
  status: 'waiting',
  provider_id: null,
  reason: null,
  sent_at: null,
  ended_at: null,
} as const;

type Recipient = Pick<
  CustomerMessageRow,
  'email' | 'mobile_hmac' | 'mobile_sealed' | 'channel' | 'masked'
>;

/** The recipients, each once: an address and a number are told apart from one another. */
function recipientsOf(contacts: readonly Contact[]) {
  const found = new Map<string, Recipient>();
  for (const { email, mobile_hmac, mobile_sealed, mobile_last4 } of contacts) {
    if (email !== null)
      found.set(email, { ...nobody, email, channel: 'email', masked: maskedEmail(email) });
    if (mobile_hmac === null || mobile_sealed === null) continue;
    const masked = maskedMobile(mobile_last4 ?? '');
    found.set(mobile_hmac, { ...nobody, mobile_hmac, mobile_sealed, channel: 'mobile', masked });
  }
  return [...found.values()];
}

/**
 * Tells the customer by mail and text message, once this command has committed
 * (rules/customers#32). It reads no row and calls nobody.
 * @param also a contact besides the present one: of a change, the old one
 */
export function tellCustomer<K extends Exclude<MessageKind, OnceKind>>(
  work: Work,
  customer: CustomerRow,
  kind: K,
  ...[facts, also]: Record<never, never> extends FactsOf<K>
    ? [facts?: FactsOf<K>, also?: Contact]
    : [facts: FactsOf<K>, also?: Contact]
): void {
  for (const recipient of recipientsOf([contactOf(customer), ...(also ? [also] : [])])) {
    const id = work.newId();
    work.create(customerMessages, {
      ...notOver,
      ...recipient,
      id,
      customer_id: customer.id,
      kind,
      locale: null,
      facts: messageFacts.text(facts ?? {}),
      expires_at: null,
      created_at: work.now,
    });
    work.scheduleJob('customer_message', id, work.now);
  }
}

/** A message that is handed over once, by the process that has its secret. */
export interface OnceMessage {
  readonly customerId: string;
  readonly kind: OnceKind;
  readonly channel: CustomerMessageRow['channel'];
  readonly masked: string;
  readonly locale: MessageLocale | null;
  readonly expiresAt: Instant;
}

/**
 * Notes that a code or a link is about to be sent. It says neither it nor to whom: whoever runs this command sends
 * it after the commit and notes what came of it (`noteSent`).
 * @returns the id of the message
 */
export function tellOnce(
  work: Work,
  { customerId, kind, channel, masked, locale, expiresAt }: OnceMessage,
): string {
  const id = work.newId();
  work.create(customerMessages, {
    ...notOver,
    ...nobody,
    id,
    customer_id: customerId,
    kind,
    channel,
    masked,
    locale,
    facts: null,
    expires_at: expiresAt,
    created_at: work.now,
  });
  // If the process dies, nobody knows whether it was sent.
  work.scheduleJob('customer_message', id, expiresAt);
  return id;
}
