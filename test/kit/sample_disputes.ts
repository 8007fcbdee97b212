import { randomUUID } from 'node:crypto';
import type { ReplyBody } from './http.ts';
import type { Person } from './person.ts';
import type { TestServer } from './server.ts';

/** Money that can be disputed. */
export interface Disputable {
  readonly ana: Person;
  /** A payment that Ana disputes twice, and of which the shop refunds a part meanwhile. */
  readonly payment: ReplyBody;
  /** Whose account has closed. */
  readonly gone: Person;
  /** Makes a further payment of Ana's to the shop. */
  pay(amount: number): Promise<ReplyBody>;
  refund(payment: ReplyBody, amount: number): Promise<ReplyBody>;
  simulate(event: string, id: string): Promise<ReplyBody>;
}

/**
 * Disputes in every state: a first notice with its earmark and one that is linked to it, one that is
 * investigated, one that is credited, one whose credit waits to be taken back, one that was approved
 * against the shop, and a credit that was sent to the bank of a closed account.
 */
export async function disputeSome({ call }: TestServer, what: Disputable): Promise<void> {
  const { ana, payment, gone, simulate } = what;
  async function notice(customer: Person, more: object): Promise<ReplyBody> {
    const body = {
      customer_id: customer.customerId,
      type: 'unauthorized_transfer',
      description: 'It was not me',
      notice_received_at: '2026-01-20T14:00:00Z',
      ...more,
    };
    const reply = await call('POST', '/v1/disputes', { body, key: randomUUID() });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  }
  const play = async ({ id }: ReplyBody, ...steps: string[]) => {
    for (const step of steps) await simulate(`dispute.${step}`, id);
  };
  await notice(ana, { payment_id: payment.id });
  await notice(ana, { payment_id: payment.id, type: 'error' });
  await what.refund(payment, 2_00);

  await play(await notice(ana, { payment_id: (await what.pay(21_00)).id }), 'investigating');
  const credited = await notice(ana, { payment_id: (await what.pay(24_00)).id });
  await play(credited, 'investigating', 'provisional_credit');
  const denied = await notice(ana, { payment_id: (await what.pay(22_00)).id });
  await play(denied, 'investigating', 'provisional_credit', 'resolved_denied');
  const bought = await what.pay(23_00);
  const approved = await notice(ana, { payment_id: bought.id, type: 'purchase_dispute' });
  await play(approved, 'resolved_partial');
  const { body } = await call('GET', `/v1/accounts/${gone.accountId}/transactions?type=load`);
  const late = await notice(gone, { transaction_id: body.data[0].id, type: 'error' });
  await play(late, 'investigating', 'provisional_credit', 'resolved_approved');
}
