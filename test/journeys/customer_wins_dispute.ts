import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { caseOf, forward, isDue, isPosted, isTold } from './dispute_desk.ts';
import { type Stage, tale } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';

type Cast = Readonly<Record<'ana' | 'cafe' | 'books', Actor>>;

interface Notices {
  /** Of a transfer that she says she did not make: Regulation E. */
  readonly transfer: ReplyBody;
  /** Of books that never came: between her and the shop. */
  readonly purchase: ReplyBody;
  readonly bought: ReplyBody;
}

async function giveNotice(stage: Stage, { ana, cafe, books }: Cast): Promise<Notices> {
  const { story, wire } = stage;
  story.step("Two payments leave Ana's account");
  const lunch = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 40_00 });
  await wire.confirm(lunch);
  await stage.is(lunch, 'completed');
  const bought = await wire.pay(ana, { payee_customer_id: books.customerId, amount: 30_00 });
  await wire.confirm(bought);
  await stage.is(bought, 'completed');
  await stage.has(ana, { available: 80_00 });

  story.step('She gives notice of both');
  const transfer = await forward(stage, ana, {
    type: 'unauthorized_transfer',
    payment_id: lunch.id,
    description: 'I was never in that cafe',
  });
  story.fact(
    `${transfer.id}, an unauthorized transfer, is under Regulation E`,
    [transfer.status, transfer.regulation_e],
    ['received', true],
  );
  const purchase = await forward(stage, ana, {
    type: 'purchase_dispute',
    payment_id: bought.id,
    description: 'The books never came',
  });
  story.fact(
    `${purchase.id}, a purchase dispute, is not`,
    [purchase.status, purchase.regulation_e],
    ['received', false],
  );
  story.say('What each merchant still has of it is set aside. The fee was theirs to pay.');
  await stage.has(cafe, { earmarked: 39_80 });
  await stage.has(books, { earmarked: 29_85 });
  stage.refused('it cannot be sent away', await wire.withdraw(cafe, 1_00), 'insufficient_funds', {
    available: 0,
    required: 1_00,
  });
  return { transfer, purchase, bought };
}

const creditDay = '2026-02-26';

async function watchTheClock(stage: Stage, { ana, cafe }: Cast, { transfer, purchase }: Notices) {
  const { story, wire } = stage;
  story.step('What Regulation E asks');
  story.say(
    "The account is new: twenty business days. Neither weekends nor Presidents' Day count.",
  );
  const deadline = inNewYork(creditDay, '09:00');
  await isDue(stage, transfer, 'provisional_credit', 'a provisional credit by', deadline);
  await isDue(stage, transfer, 'result', 'a result by', inNewYork('2026-03-15', '00:00'));
  await isDue(stage, purchase, 'provisional_credit', 'for the books there is no such clock', null);
  story.say('A reviewer takes up the books today:');
  await wire.simulate('dispute.investigating', purchase.id);
  await stage.is(purchase, 'investigating');
  await stage.is(transfer, 'received');

  story.step('The next business day, nine in the morning in New York');
  await stage.until(inNewYork('2026-01-29', '09:00'));
  story.say('Nobody has taken up the transfer, so the service begins by itself.');
  await stage.is(transfer, 'investigating');

  story.step('February 26, the day of the deadline');
  await stage.until(secondsBefore(deadline, 1));
  story.say('A second before nine:');
  await stage.is(transfer, 'investigating');
  await stage.has(ana, { available: 80_00 });
  await stage.until(deadline);
  story.say('Nine:');
  await stage.is(transfer, 'provisional_credit');
  const { provisional_credit_amount } = await stage.now(transfer);
  story.fact('all of the $40.00 is credited', provisional_credit_amount, 40_00);
  await isPosted(stage, ana, transfer, 'dispute_credit credit $40.00');
  story.say("It is hers to spend. The reserve has paid it; the merchant's money still waits.");
  await stage.has(ana, { available: 120_00 });
  await stage.has(cafe, { earmarked: 39_80 });
  await stage.books({ reserve: 9_960_00 });
  await isDue(
    stage,
    transfer,
    'credit_notice',
    'she is to be told within two business days, by',
    inNewYork('2026-03-03', '00:00'),
  );
  await isTold(stage, 'dispute.provisional_credit', transfer);
  await stage.is(purchase, 'investigating');
}

async function decide(stage: Stage, { ana, cafe, books }: Cast, notices: Notices): Promise<void> {
  const { story, wire } = stage;
  const { transfer, purchase, bought } = notices;
  story.step('A week later: it was not her');
  await stage.until(inNewYork('2026-03-05', '10:00'));
  story.say('The sandbox has filled its reserve up again at midnight.');
  await stage.books({ reserve: 10_000_00 });
  await wire.simulate('dispute.resolved_approved', transfer.id);
  await stage.is(transfer, 'closed');
  story.fact('its outcome: approved', (await stage.now(transfer)).outcome, 'approved');
  story.say('She has the money already. Nobody cheated the cafe: the platform bears the loss.');
  await stage.has(ana, { available: 120_00 });
  await stage.has(cafe, { available: 39_80 });
  await isDue(
    stage,
    transfer,
    'result_notice',
    'she is to be told within three, by',
    inNewYork('2026-03-11', '00:00'),
  );
  await isTold(stage, 'dispute.resolved', transfer);

  story.step('The bookshop cannot show that it sent the books');
  await wire.simulate('dispute.resolved_approved', purchase.id);
  await stage.is(purchase, 'closed');
  story.say("This one is the merchant's to bear: what was set aside pays the reserve back.");
  await stage.has(ana, { available: 150_00 });
  await stage.has(books, {});
  await stage.books({ reserve: 9_999_85 });
  const { liability, award_amount } = await caseOf(wire, purchase);
  story.fact(
    'the award of $30.00 is charged to the merchant',
    [liability, award_amount],
    ['merchant', 30_00],
  );
  await isPosted(stage, ana, purchase, 'dispute_credit credit $30.00');
  await isPosted(stage, books, purchase, 'adjustment debit $29.85');
  story.say('The $0.15 between the two are the fee, which the shop never had.');
  stage.refused(
    'and a refund on top of it is not to be had',
    await wire.refund(bought, 1),
    'refund_exceeds_payment',
    { refundable_amount: 0 },
  );

  story.step('What the Tenant knows');
  stage.heard(transfer, 'created', 'investigating', 'provisional_credit', 'resolved', 'closed');
  stage.heard(purchase, 'created', 'investigating', 'resolved', 'closed');
}

/** Lost by the merchant where it is liable, and by the platform where nobody else is. */
export const customerWinsDispute = tale({
  name: 'customer-wins-dispute',
  title: 'A dispute the customer wins',
  lead: 'Ana disputes a transfer that she did not make, and books that never came: the one is credited on the deadline of Regulation E and the platform bears it, the other is awarded to her and the bookshop pays.',
  begins: '2026-01-28T15:00:00Z',
  cast: {
    ana: person('Ana Reyes', 150_00),
    cafe: shop('Corner Cafe LLC'),
    books: shop('Harbor Books LLC'),
  },

  async play(stage, cast) {
    const notices = await giveNotice(stage, cast);
    await watchTheClock(stage, cast, notices);
    await decide(stage, cast, notices);
  },
});
