import { randomUUID } from 'node:crypto';
import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';

const accountOf = async ({ wire }: Stage, { customerId }: Actor): Promise<ReplyBody> =>
  (await wire.get(`/v1/accounts?customer_id=${customerId}`)).data[0];

async function isAccount(stage: Stage, actor: Actor, status: string): Promise<void> {
  const account = await accountOf(stage, actor);
  stage.story.fact(`the account of ${actor.name} is ${status}`, account.status, status);
}

const asks = ({ wire }: Stage, cafe: Actor, amount: number, order: string): Promise<ReplyBody> =>
  wire.post('/v1/payment-requests', {
    type: 'dynamic',
    merchant_customer_id: cafe.customerId,
    amount,
    order_reference: order,
  });

/** What is open when a merchant closes. */
interface Items {
  readonly refund: ReplyBody;
  readonly free: ReplyBody;
  readonly claimed: ReplyBody;
  readonly byBank: ReplyBody;
}

async function leaveOpen(stage: Stage, ana: Actor, ben: Actor, cafe: Actor): Promise<Items> {
  const { story, wire } = stage;
  story.step('A refund waits for money');
  const lunch = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 40_00 });
  await wire.confirm(lunch);
  const emptied = await wire.withdraw(cafe, 39_80);
  await wire.confirm(emptied);
  await wire.simulate('withdrawal.settled', emptied.id);
  story.say(
    'Ana has paid $40.00 for lunch, the cafe has sent it to its bank, and she wants it back.',
  );
  await stage.is(lunch, 'completed');
  await stage.is(emptied, 'settled');
  const refund = await wire.refund(lunch, 40_00);
  await wire.confirm(refund);
  await stage.is(refund, 'pending_funds');

  story.step('A bank payment is in progress');
  const claimed = await asks(stage, cafe, 35_00, 'order-1');
  await stage.is(claimed, 'open');
  const byBank = await wire.payByBank(ben, { qr_payload: claimed.qr_payload });
  await wire.confirm(byBank);
  await stage.is(byBank, 'processing');
  story.say("Ben's bank is being asked for $35.00, and order-1 is claimed by it.");

  story.step('There is a balance, and another request');
  const tea = await wire.pay(ben, { payee_customer_id: cafe.customerId, amount: 10_00 });
  await wire.confirm(tea);
  await stage.is(tea, 'completed');
  const free = await asks(stage, cafe, 12_00, 'order-2');
  await stage.is(free, 'open');
  story.say("Nobody has scanned it yet. The balance is what Ben's tea has left:");
  await stage.has(cafe, { available: 9_95 });
  return { refund, free, claimed, byBank };
}

async function close(stage: Stage, cafe: Actor, ben: Actor, items: Items): Promise<void> {
  const { story, wire } = stage;
  story.step('The cafe closes');
  const reply = await stage.call('POST', `/v1/customers/${cafe.customerId}/close`, {
    body: { reason: 'customer_request' },
    key: randomUUID(),
  });
  story.fact('the call is taken with 202', reply.status, 202);
  await isAccount(stage, cafe, 'closing');
  story.say('What nobody has begun to pay ends within the second:');
  await stage.is(items.free, 'canceled');
  story.say('What others have in hand is waited for:');
  await stage.is(items.byBank, 'processing');
  await stage.is(items.claimed, 'open');
  await stage.is(items.refund, 'pending_funds');
  await stage.has(cafe, { available: 9_95 });
  stage.refused(
    'and nothing new begins',
    await wire.pay(ben, { payee_customer_id: cafe.customerId, amount: 1_00 }),
    'payee_not_eligible',
    { reason: 'account_not_active' },
  );
  const early = await wire.simulate('account.closed', cafe.accountId);
  story.fact('it waits for the bank payment first', early.details.reason, 'payments');
}

/** Closing: what waits for what, and zero at the end. */
export const closingAMerchant = tale({
  name: 'closing-a-merchant',
  title: 'Closing a merchant with open items',
  lead: 'A cafe closes with an open request, a bank payment in progress, a refund that waits and a balance: each ends in its turn, the rest is paid out, and the account closes at exactly zero.',
  cast: {
    ana: person('Ana Reyes', 50_00),
    ben: person('Ben Osei', 20_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async play(stage, { ana, ben, cafe }) {
    const { story, wire } = stage;
    const items = await leaveOpen(stage, ana, ben, cafe);
    await close(stage, cafe, ben, items);

    story.step("Ben's bank pays");
    await wire.simulate('payment.completed', items.byBank.id);
    await stage.is(items.byBank, 'completed');
    await stage.is(items.claimed, 'paid');
    story.say('$44.95 are enough for the refund, which is served before anything is paid out:');
    await stage.is(items.refund, 'completed');
    await stage.has(ana, { available: 50_00 });

    story.step('What is left goes to the bank by itself');
    const { data } = await wire.get(`/v1/accounts/${cafe.accountId}/transactions?type=withdrawal`);
    const payout = await stage.now({ id: data[0].source_id });
    story.fact(
      'a payout of $4.95, which nobody had to confirm',
      [payout.amount, payout.status, payout.confirmed_at],
      [4_95, 'processing', null],
    );
    await isAccount(stage, cafe, 'closing');
    await stage.has(cafe, { pending_outgoing: 4_95 });

    story.step('The bank has paid it');
    await wire.simulate('withdrawal.settled', payout.id);
    await stage.is(payout, 'settled');
    await isAccount(stage, cafe, 'closed');
    await stage.has(cafe, {});
    const again = await wire.post(`/v1/customers/${cafe.customerId}/close`, {
      reason: 'customer_request',
    });
    story.fact(
      'to close it again is refused: invalid_state, closed',
      [again.code, again.details.current_status],
      ['invalid_state', 'closed'],
    );
  },
});
