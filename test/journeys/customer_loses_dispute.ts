import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { caseOf, forward, isDue, isPosted, isTold } from './dispute_desk.ts';
import { type Stage, tale } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';

type Cast = Readonly<Record<'ana' | 'cafe' | 'books', Actor>>;

async function credit(stage: Stage, { ana, cafe }: Cast): Promise<ReplyBody> {
  const { story, wire } = stage;
  story.step('March 2: Ana has had her account for more than thirty days');
  await stage.until(inNewYork('2026-03-02', '10:00'));
  const party = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 60_00 });
  await wire.confirm(party);
  await stage.is(party, 'completed');
  await stage.has(ana, { available: 40_00 });
  await stage.has(cafe, { available: 59_70 });

  story.step('She says that it was not her');
  const dispute = await forward(stage, ana, {
    type: 'unauthorized_transfer',
    payment_id: party.id,
    description: 'I did not order this',
  });
  story.fact(
    `${dispute.id}: received, under Regulation E`,
    [dispute.status, dispute.regulation_e],
    ['received', true],
  );
  await stage.has(cafe, { earmarked: 59_70 });
  story.say('Ten business days, and on the way the clocks are set an hour forward.');
  const deadline = inNewYork('2026-03-16', '09:00');
  await isDue(stage, dispute, 'provisional_credit', 'a provisional credit by', deadline);

  story.step('March 16: nobody has found out, so she has her money back for now');
  await stage.until(deadline);
  await stage.is(dispute, 'provisional_credit');
  await stage.has(ana, { available: 100_00 });
  await isTold(stage, 'dispute.provisional_credit', dispute);
  return dispute;
}

async function denied(stage: Stage, { ana, cafe, books }: Cast, dispute: ReplyBody) {
  const { story, wire } = stage;
  story.step('She spends some of it');
  const novels = await wire.pay(ana, { payee_customer_id: books.customerId, amount: 75_00 });
  await wire.confirm(novels);
  await stage.is(novels, 'completed');
  await stage.has(ana, { available: 25_00 });

  story.step('March 18: her phone and her PIN were at the counter');
  await stage.until(inNewYork('2026-03-18', '11:00'));
  await wire.simulate('dispute.resolved_denied', dispute.id);
  await stage.is(dispute, 'resolved');
  story.fact('its outcome: denied', (await stage.now(dispute)).outcome, 'denied');
  story.say('The cafe has all of its money again, at once.');
  await stage.has(cafe, { available: 59_70 });
  await isTold(stage, 'dispute.resolved', dispute);
  story.say('That is the notice of denial. The credit stays hers for five business days more.');
  const over = inNewYork('2026-03-26', '00:00');
  await isDue(stage, dispute, 'reversal', 'nothing is taken back before', over);
  await stage.has(ana, { available: 25_00 });

  story.step('In these five business days her payments are honored');
  await stage.until(inNewYork('2026-03-20', '12:30'));
  const lunch = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 5_00 });
  await wire.confirm(lunch);
  await stage.is(lunch, 'completed');
  await stage.has(ana, { available: 20_00 });
  return over;
}

/** Won by the merchant; what was credited meanwhile is taken back as far as it is there. */
export const customerLosesDispute = tale({
  name: 'customer-loses-dispute',
  title: 'A dispute the customer loses',
  lead: 'Ana disputes a payment that she made herself: she is credited on the deadline, spends of it, and is found out; the merchant has its money again, and what is left of the credit is taken back after notice and five business days.',
  begins: '2026-01-29T15:00:00Z',
  cast: {
    ana: person('Ana Reyes', 100_00),
    cafe: shop('Corner Cafe LLC'),
    books: shop('Harbor Books LLC'),
  },

  async play(stage, cast) {
    const { story, wire } = stage;
    const { ana } = cast;
    const dispute = await credit(stage, cast);
    const over = await denied(stage, cast, dispute);

    story.step('Midnight after the fifth of them');
    await stage.until(secondsBefore(over, 1));
    story.say('A second before it:');
    await stage.is(dispute, 'resolved');
    await stage.has(ana, { available: 20_00 });
    await stage.until(over);
    story.say('On the stroke:');
    await stage.is(dispute, 'closed');
    story.say('No more is taken than there is: an account never goes below zero.');
    await stage.has(ana, {});
    await isPosted(
      stage,
      ana,
      dispute,
      'dispute_credit credit $60.00',
      'dispute_reversal debit $20.00',
    );
    const { award_amount, taken_back_amount } = await caseOf(wire, dispute);
    story.fact(
      'the case says: nothing awarded, $20.00 taken back',
      [award_amount, taken_back_amount],
      [0, 20_00],
    );
    story.say('The other $40.00 are a loss of the reserve, which the sandbox had filled up since.');
    await stage.books({ reserve: 10_020_00 });
    stage.heard(dispute, 'created', 'investigating', 'provisional_credit', 'resolved', 'closed');
  },
});
