import type { ReplyBody } from '../kit/http/http.ts';
import { caseOf, isDue, isNotified, isPosted, type People } from './disputes.ts';
import { journey } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';
import { person, type Run, shop } from './run.ts';

async function credit(run: Run, { ana, cafe }: People): Promise<ReplyBody> {
  const { story, api } = run;
  story.step('March 2: Ana has had her account for more than thirty days');
  await run.until(inNewYork('2026-03-02', '10:00'));
  const party = await run.paid(ana, cafe, 60_00);
  await run.has(ana, { available: 40_00 });
  await run.has(cafe, { available: 59_70 });

  story.step('She says that it was not her');
  const dispute = await api.dispute(ana, { payment_id: party.id });
  story.fact(
    `${dispute.id}: received, under Regulation E`,
    [dispute.status, dispute.regulation_e],
    ['received', true],
  );
  await run.has(cafe, { earmarked: 59_70 });
  story.say('Ten business days, and on the way the clocks are set an hour forward.');
  const deadline = inNewYork('2026-03-16', '09:00');
  await isDue(run, dispute, 'provisional_credit', 'a provisional credit by', deadline);

  story.step('March 16: the case is still open, so she is credited for now');
  await run.until(deadline);
  await run.is(dispute, 'provisional_credit');
  await run.has(ana, { available: 100_00 });
  await isNotified(run, 'dispute.provisional_credit', dispute);
  return dispute;
}

async function denied(run: Run, { ana, cafe, books }: People, dispute: ReplyBody) {
  const { story, api } = run;
  story.step('She spends some of it');
  await run.paid(ana, books, 75_00);
  await run.has(ana, { available: 25_00 });

  story.step('March 18: it turns out that she confirmed the payment herself');
  await run.until(inNewYork('2026-03-18', '11:00'));
  await api.simulate('dispute.resolved_denied', dispute.id);
  await run.is(dispute, 'resolved');
  story.fact('its outcome: denied', (await run.now(dispute)).outcome, 'denied');
  story.say('The cafe has all of its money again, at once.');
  await run.has(cafe, { available: 59_70 });
  await isNotified(run, 'dispute.resolved', dispute);
  story.say('That is the notice of denial. The credit stays hers for five business days more.');
  const over = inNewYork('2026-03-26', '00:00');
  await isDue(run, dispute, 'reversal', 'nothing is taken back before', over);
  await run.has(ana, { available: 25_00 });

  story.step('In these five business days she can pay from the credit');
  await run.until(inNewYork('2026-03-20', '12:30'));
  await run.paid(ana, cafe, 5_00);
  await run.has(ana, { available: 20_00 });
  return over;
}

journey({
  name: 'customer-loses-dispute',
  title: 'A dispute the customer loses',
  lead: 'Ana disputes a payment that she made herself: she is credited on the deadline, spends of it, and is found out; the merchant has its money again, and what is left of the credit is taken back after notice and five business days.',
  begins: '2026-01-29T15:00:00Z',
  people: {
    ana: person('Ana Reyes', 100_00),
    cafe: shop('Corner Cafe LLC'),
    books: shop('Harbor Books LLC'),
  },

  async steps(run, people) {
    const { story } = run;
    const { ana } = people;
    const dispute = await credit(run, people);
    const over = await denied(run, people, dispute);

    story.step('Midnight after the fifth of them');
    await run.until(secondsBefore(over, 1));
    story.say('A second before it:');
    await run.is(dispute, 'resolved');
    await run.has(ana, { available: 20_00 });
    await run.until(over);
    story.say('On the stroke:');
    await run.is(dispute, 'closed');
    story.say('No more is taken than there is: an account never goes below zero.');
    await run.has(ana, {});
    await isPosted(
      run,
      ana,
      dispute,
      'dispute_credit credit $60.00',
      'dispute_reversal debit $20.00',
    );
    const { award_amount, taken_back_amount } = await caseOf(run, dispute);
    story.fact(
      'the case says: nothing awarded, $20.00 taken back',
      [award_amount, taken_back_amount],
      [0, 20_00],
    );
    story.say('The other $40.00 are a loss of the reserve, which the sandbox had filled up since.');
    await run.books({ reserve: 10_020_00 });
    run.events(dispute, 'created', 'investigating', 'provisional_credit', 'resolved', 'closed');
  },
});
