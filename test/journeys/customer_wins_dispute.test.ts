import type { ReplyBody } from '../kit/http/http.ts';
import { caseOf, isDue, isNotified, isPosted, type People } from './disputes.ts';
import { journey } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';
import { person, type Run, shop } from './run.ts';

interface Notices {
  /** A dispute about a transfer that she says she did not make: Regulation E. */
  readonly transfer: ReplyBody;
  /** A dispute about books that never came: between her and the shop. */
  readonly purchase: ReplyBody;
  readonly bought: ReplyBody;
}

async function giveNotice(run: Run, { ana, cafe, books }: People): Promise<Notices> {
  const { story, api } = run;
  story.step("Two payments leave Ana's account");
  const lunch = await run.paid(ana, cafe, 40_00);
  const bought = await run.paid(ana, books, 30_00);
  await run.has(ana, { available: 80_00 });

  story.step('She gives notice of both');
  const transfer = await api.dispute(ana, { payment_id: lunch.id });
  story.fact(
    `${transfer.id}, an unauthorized transfer, is under Regulation E`,
    [transfer.status, transfer.regulation_e],
    ['received', true],
  );
  const purchase = await api.dispute(ana, { type: 'purchase_dispute', payment_id: bought.id });
  story.fact(
    `${purchase.id}, a purchase dispute, is not`,
    [purchase.status, purchase.regulation_e],
    ['received', false],
  );
  story.say('What each merchant still has of it is set aside. The fee was theirs to pay.');
  await run.has(cafe, { earmarked: 39_80 });
  await run.has(books, { earmarked: 29_85 });
  await run.refused('it cannot be withdrawn', api.withdraw(cafe, 1_00), 'insufficient_funds', {
    available: 0,
    required: 1_00,
  });
  return { transfer, purchase, bought };
}

async function watchTheClock(run: Run, { ana, cafe }: People, { transfer, purchase }: Notices) {
  const { story, api } = run;
  story.step('What Regulation E asks');
  story.say(
    "The account is new: twenty business days. Neither weekends nor Presidents' Day count.",
  );
  const deadline = inNewYork('2026-02-26', '09:00');
  await isDue(run, transfer, 'provisional_credit', 'a provisional credit by', deadline);
  await isDue(run, transfer, 'result', 'a result by', inNewYork('2026-03-15', '00:00'));
  await isDue(run, purchase, 'provisional_credit', 'for the books there is no such clock', null);
  story.say('A reviewer begins to investigate the purchase today:');
  await api.simulate('dispute.investigating', purchase.id);
  await run.is(purchase, 'investigating');
  await run.is(transfer, 'received');

  story.step('The next business day, nine in the morning in New York');
  await run.until(inNewYork('2026-01-29', '09:00'));
  story.say('No reviewer has begun with the transfer, so the service begins by itself.');
  await run.is(transfer, 'investigating');

  story.step('February 26, the day of the deadline');
  await run.until(secondsBefore(deadline, 1));
  story.say('A second before nine:');
  await run.is(transfer, 'investigating');
  await run.has(ana, { available: 80_00 });
  await run.until(deadline);
  story.say('Nine:');
  await run.is(transfer, 'provisional_credit');
  const { provisional_credit_amount } = await run.now(transfer);
  story.fact('all of the $40.00 is credited', provisional_credit_amount, 40_00);
  await isPosted(run, ana, transfer, 'dispute_credit credit $40.00');
  story.say("It is hers to spend. The reserve has paid it; the merchant's money still waits.");
  await run.has(ana, { available: 120_00 });
  await run.has(cafe, { earmarked: 39_80 });
  await run.books({ reserve: 9_960_00 });
  await isDue(
    run,
    transfer,
    'credit_notice',
    'she must be notified within two business days, by',
    inNewYork('2026-03-03', '00:00'),
  );
  await isNotified(run, 'dispute.provisional_credit', transfer);
  await run.is(purchase, 'investigating');
}

async function decide(run: Run, { ana, cafe, books }: People, notices: Notices): Promise<void> {
  const { story, api } = run;
  const { transfer, purchase, bought } = notices;
  story.step('A week later: it was not her');
  await run.until(inNewYork('2026-03-05', '10:00'));
  story.say('The sandbox has filled its reserve up again at midnight.');
  await run.books({ reserve: 10_000_00 });
  await api.simulate('dispute.resolved_approved', transfer.id);
  await run.is(transfer, 'closed');
  story.fact('its outcome: approved', (await run.now(transfer)).outcome, 'approved');
  story.say('She has the money already. The cafe is not liable: the platform bears the loss.');
  await run.has(ana, { available: 120_00 });
  await run.has(cafe, { available: 39_80 });
  await isDue(
    run,
    transfer,
    'result_notice',
    'she must be notified within three, by',
    inNewYork('2026-03-11', '00:00'),
  );
  await isNotified(run, 'dispute.resolved', transfer);

  story.step('The bookshop cannot show that it sent the books');
  await api.simulate('dispute.resolved_approved', purchase.id);
  await run.is(purchase, 'closed');
  story.say("This one is the merchant's to bear: what was set aside pays the reserve back.");
  await run.has(ana, { available: 150_00 });
  await run.has(books, {});
  await run.books({ reserve: 9_999_85 });
  const { liability, award_amount } = await caseOf(run, purchase);
  story.fact(
    'the award of $30.00 is charged to the merchant',
    [liability, award_amount],
    ['merchant', 30_00],
  );
  await isPosted(run, ana, purchase, 'dispute_credit credit $30.00');
  await isPosted(run, books, purchase, 'adjustment debit $29.85');
  story.say('The $0.15 between the two are the fee, which the shop never had.');
  await run.refused(
    'and it cannot be refunded as well',
    api.refund(bought, 1),
    'refund_exceeds_payment',
    { refundable_amount: 0 },
  );

  story.step('The events of both');
  run.events(transfer, 'created', 'investigating', 'provisional_credit', 'resolved', 'closed');
  run.events(purchase, 'created', 'investigating', 'resolved', 'closed');
}

journey({
  name: 'customer-wins-dispute',
  title: 'A dispute the customer wins',
  lead: 'Ana disputes a transfer that she did not make, and books that never came: the one is credited on the deadline of Regulation E and the platform bears it, the other is awarded to her and the bookshop pays.',
  begins: '2026-01-28T15:00:00Z',
  people: {
    ana: person('Ana Reyes', 150_00),
    cafe: shop('Corner Cafe LLC'),
    books: shop('Harbor Books LLC'),
  },

  async steps(run, people) {
    const notices = await giveNotice(run, people);
    await watchTheClock(run, people, notices);
    await decide(run, people, notices);
  },
});
