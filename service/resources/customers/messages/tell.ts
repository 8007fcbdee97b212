import type { Work } from '@tenant-payments/engine/work.ts';
import type { CustomerRow } from '../table.ts';
import { customerMessages, messageFacts } from './table.ts';
import type { FactsOf, MessageKind } from './texts.ts';

/** Where messages to a customer go: the address, and the number as it is stored. */
export type Contact = Pick<CustomerRow, 'email' | 'mobile_hmac' | 'mobile_sealed'>;

/** The customer's contact now; taken before a change, it is the old one. */
export const contactOf = ({ email, mobile_hmac, mobile_sealed }: CustomerRow): Contact => ({
  email,
  mobile_hmac,
  mobile_sealed,
});

const nobody = { email: null, mobile_hmac: null, mobile_sealed: null } as const;

/** The recipients, each once: an address and a number are told apart from one another. */
function recipientsOf(contacts: readonly Contact[]) {
  const found = new Map<string, Contact & { readonly channel: 'email' | 'mobile' }>();
  for (const { email, mobile_hmac, mobile_sealed } of contacts) {
    if (email !== null) found.set(email, { ...nobody, email, channel: 'email' });
    if (mobile_hmac !== null && mobile_sealed !== null)
      found.set(mobile_hmac, { ...nobody, mobile_hmac, mobile_sealed, channel: 'mobile' });
  }
  return [...found.values()];
}

/**
 * Tells the customer by mail and text message, once this command has committed
 * (rules/customers#32). It reads no row and calls nobody.
 * @param also a contact besides the present one: of a change, the old one
 */
export function tellCustomer<K extends MessageKind>(
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
      id,
      customer_id: customer.id,
      kind,
      ...recipient,
      facts: messageFacts.text(facts ?? {}),
      status: 'waiting',
      created_at: work.now,
      sent_at: null,
    });
    work.scheduleJob('customer_message', id, work.now);
  }
}
