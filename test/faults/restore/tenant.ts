import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../../kit/person.ts';
import { Refused } from '../../kit/refusal.ts';
import type { TestServer } from '../../kit/server.ts';

/** A Tenant whose calls all have keys of their own, so that it may make each of them again. */

/** The people and records that the calls name; made before the backup. */
export interface Stage {
  readonly ana: Person;
  readonly cafe: Person;
  /** Completed, and paid from a bank: its refunds go back there. */
  readonly paid: ReplyBody;
  /** Accounts that are closed by a call, each with the amount of that call in it. */
  readonly closing: ReadonlyMap<number, Person>;
  /** Payments of accounts that have closed, each of the amount of its dispute. */
  readonly disputed: ReadonlyMap<number, ReplyBody>;
}

export type Kind = 'load' | 'withdrawal' | 'payment' | 'refund' | 'payout' | 'credit';
export const kinds: readonly Kind[] = [
  'load',
  'withdrawal',
  'payment',
  'refund',
  'payout',
  'credit',
];

/** One thing that the Tenant wants: its amount is nobody else's, so that the bank's book shows it. */
export interface Intent {
  readonly kind: Kind;
  readonly amount: number;
}

type Api = TestServer['api'];

/** Does work whose refusal is no fault: it may have happened before. */
async function ifItMay(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refused && error.error.code === 'invalid_state')) throw error;
  });
}

/** The calls of an intent up to the customer's confirmation, or all of them. */
export function callsOf(api: Api, { ana, cafe, paid, closing, disputed }: Stage) {
  const creates: Readonly<Record<Kind, (amount: number, key: string) => Promise<ReplyBody>>> = {
    load: (amount, key) => api.post('/v1/loads', { customer_id: ana.customerId, amount }, key),
    withdrawal: (amount, key) =>
      api.post('/v1/withdrawals', { customer_id: ana.customerId, amount }, key),
    payment: (amount, key) =>
      api.post(
        '/v1/payments',
        {
          payer_customer_id: ana.customerId,
          payee_customer_id: cafe.customerId,
          source: 'bank_account',
          amount,
        },
        key,
      ),
    refund: (amount, key) =>
      api.post('/v1/refund-requests', { payment_id: paid.id, amount, reason: 'other' }, key),
    payout: (amount, key) =>
      api.post(
        `/v1/customers/${closing.get(amount)?.customerId}/close`,
        { reason: 'customer_request' },
        key,
      ),
    credit: (amount, key) =>
      api.post(
        '/v1/disputes',
        {
          customer_id: disputed.get(amount)?.payer_customer_id,
          payment_id: disputed.get(amount)?.id,
          type: 'unauthorized_transfer',
          description: 'It was not me',
          notice_received_at: disputed.get(amount)?.created_at,
        },
        key,
      ),
  };
  const create = ({ kind, amount }: Intent) => creates[kind](amount, `${kind}-${amount}`);
  return {
    create,
    async whole(intent: Intent): Promise<void> {
      const { id } = await create(intent);
      if (intent.kind === 'payout') return;
      const events =
        intent.kind === 'credit'
          ? ['dispute.investigating', 'dispute.provisional_credit']
          : ['session.completed'];
      for (const event of events) await ifItMay(api.simulate(event, id));
    },
  };
}
