import { randomUUID } from 'node:crypto';
import type { ReplyBody } from './http.ts';
import type { Person } from './person.ts';
import type { TestServer } from './server.ts';

type Customer = Pick<Person, 'customerId'>;

/** A Tenant's server in a few words: each POST has a key of its own. */
export function openWire({ call }: Pick<TestServer, 'call'>) {
  /** The record; of a refusal its status and its error's fields. */
  async function post(path: string, body: object = {}): Promise<ReplyBody> {
    const reply = await call('POST', path, { body, key: randomUUID() });
    return reply.status < 300 ? reply.body : { status: reply.status, ...reply.body.error };
  }
  const get = async (path: string): Promise<ReplyBody> => (await call('GET', path)).body;
  const simulate = (event: string, id: string, failure_code?: string) =>
    post(`/v1/sandbox/simulate/${event}`, {
      object_id: id,
      ...(failure_code ? { failure_code } : {}),
    });
  return {
    post,
    get,
    simulate,
    /** Its customer finishes the hosted flow of a record. */
    confirm: (record: ReplyBody) => simulate('session.completed', record.id),
    balanceOf: ({ accountId }: Pick<Person, 'accountId'>) =>
      get(`/v1/accounts/${accountId}/balance`),
    pay: (payer: Customer, how: object): Promise<ReplyBody> =>
      post('/v1/payments', { payer_customer_id: payer.customerId, source: 'balance', ...how }),
    payByBank: (payer: Customer, how: object): Promise<ReplyBody> =>
      post('/v1/payments', { payer_customer_id: payer.customerId, source: 'bank_account', ...how }),
    refund: (payment: ReplyBody, amount: number): Promise<ReplyBody> =>
      post('/v1/refund-requests', { payment_id: payment.id, amount, reason: 'other' }),
    withdraw: ({ customerId }: Customer, amount: number): Promise<ReplyBody> =>
      post('/v1/withdrawals', { customer_id: customerId, amount }),
    advance: (seconds: number): Promise<ReplyBody> =>
      post('/portal/api/clock/advance', { seconds }),
  };
}
export type Wire = ReturnType<typeof openWire>;
