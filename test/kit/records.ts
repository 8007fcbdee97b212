import type { Calls, ReplyBody } from './http/http.ts';
import type { Person } from './person.ts';

type Customer = Pick<Person, 'customerId'>;
type Made = ReplyBody | Promise<ReplyBody>;
type Source = 'balance' | 'bank_account';

/**
 * Loads, payments and what follows them, as a Tenant's server makes them; amounts in cents. A record
 * waits for its customer's confirmation until `confirmed` or `played` bring it on.
 */
export interface Records {
  load(person: Customer, amount: number): Promise<ReplyBody>;
  /** From the payer's balance. */
  pay(payer: Customer, payee: Customer, amount: number, more?: object): Promise<ReplyBody>;
  /** From the payer's linked bank. */
  payByBank(payer: Customer, payee: Customer, amount: number, more?: object): Promise<ReplyBody>;
  /** Pays the QR code of a payment request. */
  payRequest(payer: Customer, request: ReplyBody, source?: Source): Promise<ReplyBody>;
  withdraw(person: Customer, amount: number): Promise<ReplyBody>;
  refund(payment: ReplyBody, amount: number): Promise<ReplyBody>;
  /** A dynamic payment request of a merchant, with its QR code. */
  request(merchant: Customer, amount: number, more?: object): Promise<ReplyBody>;
  /** An unauthorized transfer, of which notice came an hour ago. @param what `payment_id` or `transaction_id` */
  dispute(customer: Customer, what: object): Promise<ReplyBody>;
  session(flow: string, customer: Customer): Promise<ReplyBody>;
  /** Asks for the account to be closed. */
  close(customer: Customer): Promise<ReplyBody>;
  /** Its customer confirms a record in the hosted flow. @returns the record as it was made */
  confirmed(record: Made): Promise<ReplyBody>;
  /** Its customer declines a record. @returns the record as it was made */
  declined(record: Made): Promise<ReplyBody>;
  /** Simulates these events of a record, one after the other. @returns the record as it was made */
  played(record: Made, ...events: readonly string[]): Promise<ReplyBody>;
}

const hourMs = 3_600_000;

/** The makers of a Tenant's records of money. */
export function openRecords({ get, post, simulate }: Calls): Records {
  const create = (payer: Customer, source: Source, how: object): Promise<ReplyBody> =>
    post('/v1/payments', { payer_customer_id: payer.customerId, source, ...how });
  const paying =
    (source: Source): Records['pay'] =>
    (payer, payee, amount, more = {}) =>
      create(payer, source, { payee_customer_id: payee.customerId, amount, ...more });

  async function hourAgo(): Promise<string> {
    const { now } = await get('/portal/api/clock');
    return new Date(Date.parse(now) - hourMs).toISOString();
  }

  const played: Records['played'] = async (record, ...events) => {
    const made = await record;
    for (const event of events) await simulate(event, made.id);
    return made;
  };

  return {
    load: ({ customerId }, amount) => post('/v1/loads', { customer_id: customerId, amount }),
    pay: paying('balance'),
    payByBank: paying('bank_account'),
    payRequest: (payer, { qr_payload }, source = 'balance') =>
      create(payer, source, { qr_payload }),
    withdraw: ({ customerId }, amount) =>
      post('/v1/withdrawals', { customer_id: customerId, amount }),
    refund: ({ id }, amount) =>
      post('/v1/refund-requests', { payment_id: id, amount, reason: 'other' }),
    request: ({ customerId }, amount, more = {}) =>
      post('/v1/payment-requests', {
        type: 'dynamic',
        merchant_customer_id: customerId,
        amount,
        ...more,
      }),
    dispute: async ({ customerId }, what: { readonly type?: string }) =>
      post('/v1/disputes', {
        customer_id: customerId,
        type: 'unauthorized_transfer',
        description: what.type === 'purchase_dispute' ? 'It never came' : 'It was not me',
        notice_received_at: await hourAgo(),
        ...what,
      }),
    session: (flow, { customerId }) => post('/v1/sessions', { flow, customer_id: customerId }),
    close: ({ customerId }) =>
      post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' }),
    confirmed: (record) => played(record, 'session.completed'),
    async declined(record) {
      const made = await record;
      await simulate('session.canceled', made.id, 'confirmation_declined');
      return made;
    },
    played,
  };
}
