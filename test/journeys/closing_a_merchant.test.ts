import type { ReplyBody } from '../kit/http/http.ts';
import { newKey } from '../kit/ids.ts';
import { refusalOf } from '../kit/refusal.ts';
import { journey } from './journey.ts';
import { type Actor, person, type Run, shop } from './run.ts';

async function isAccount({ story, api }: Run, { name, customerId }: Actor, status: string) {
  const [account] = (await api.get(`/v1/accounts?customer_id=${customerId}`)).data;
  story.fact(`the account of ${name} is ${status}`, account.status, status);
}

/** The records open when a merchant closes. */
interface Items {
  readonly refund: ReplyBody;
  readonly free: ReplyBody;
  readonly claimed: ReplyBody;
  readonly byBank: ReplyBody;
}

async function leaveOpen(run: Run, ana: Actor, ben: Actor, cafe: Actor): Promise<Items> {
  const { story, api } = run;
  story.step('A refund waits for money');
  story.say('Ana pays $40.00 for lunch, the cafe withdraws it, and she asks for a refund.');
  const lunch = await run.paid(ana, cafe, 40_00);
  await run.withdrawn(cafe, 39_80);
  const refund = await api.confirmed(api.refund(lunch, 40_00));
  await run.is(refund, 'pending_funds');

  story.step('A bank payment is in progress');
  const claimed = await api.request(cafe, 35_00, { order_reference: 'order-1' });
  await run.is(claimed, 'open');
  const byBank = await api.confirmed(api.payRequest(ben, claimed, 'bank_account'));
  await run.is(byBank, 'processing');
  story.say("Ben's bank is being asked for $35.00, and order-1 is claimed by it.");

  story.step('There is a balance, and another request');
  await run.paid(ben, cafe, 10_00);
  const free = await api.request(cafe, 12_00, { order_reference: 'order-2' });
  await run.is(free, 'open');
  story.say("No customer has scanned it yet. The balance is what is left of Ben's payment:");
  await run.has(cafe, { available: 9_95 });
  return { refund, free, claimed, byBank };
}

async function close(run: Run, cafe: Actor, ben: Actor, items: Items): Promise<void> {
  const { story, api } = run;
  story.step('The cafe closes');
  const reply = await api.call('POST', `/v1/customers/${cafe.customerId}/close`, {
    body: { reason: 'customer_request' },
    key: newKey(),
  });
  story.fact('the call is accepted with 202', reply.status, 202);
  await isAccount(run, cafe, 'closing');
  story.say('A request that no customer has begun to pay is canceled within the second:');
  await run.is(items.free, 'canceled');
  story.say('What is in progress is completed first:');
  await run.is(items.byBank, 'processing');
  await run.is(items.claimed, 'open');
  await run.is(items.refund, 'pending_funds');
  await run.has(cafe, { available: 9_95 });
  await run.refused('and nothing new begins', api.pay(ben, cafe, 1_00), 'payee_not_eligible', {
    reason: 'account_not_active',
  });
  const early = await refusalOf(api.simulate('account.closed', cafe.accountId));
  story.fact('it waits for the bank payment first', early.details.reason, 'payments');
}

journey({
  name: 'closing-a-merchant',
  title: 'Closing a merchant with open items',
  lead: 'A cafe closes with an open request, a bank payment in progress, a refund that waits and a balance: each ends in its turn, the rest is paid out, and the account closes at exactly zero.',
  people: {
    ana: person('Ana Reyes', 50_00),
    ben: person('Ben Osei', 20_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async steps(run, { ana, ben, cafe }) {
    const { story, api } = run;
    const items = await leaveOpen(run, ana, ben, cafe);
    await close(run, cafe, ben, items);

    story.step("Ben's bank pays");
    await api.simulate('payment.completed', items.byBank.id);
    await run.is(items.byBank, 'completed');
    await run.is(items.claimed, 'paid');
    story.say('$44.95 are enough for the refund, which is served before anything is paid out:');
    await run.is(items.refund, 'completed');
    await run.has(ana, { available: 50_00 });

    story.step('What is left goes to the bank by itself');
    const { data } = await api.get(`/v1/accounts/${cafe.accountId}/transactions?type=withdrawal`);
    const payout = await run.now({ id: data[0].source_id });
    story.fact(
      'a payout of $4.95, which needs no confirmation',
      [payout.amount, payout.status, payout.confirmed_at],
      [4_95, 'processing', null],
    );
    await isAccount(run, cafe, 'closing');
    await run.has(cafe, { pending_outgoing: 4_95 });

    story.step('The bank has paid it');
    await api.simulate('withdrawal.settled', payout.id);
    await run.is(payout, 'settled');
    await isAccount(run, cafe, 'closed');
    await run.has(cafe, {});
    const again = await refusalOf(api.close(cafe));
    story.fact(
      'to close it again is refused: invalid_state, closed',
      [again.code, again.details.current_status],
      ['invalid_state', 'closed'],
    );
  },
});
