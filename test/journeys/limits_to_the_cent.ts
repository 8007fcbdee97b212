import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { type Actor, person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';

const { limits } = defaultSettings('');

/** @returns a function that pays and confirms */
const payer = ({ wire }: Stage, ana: Actor, cafe: Actor) => {
  const make = (amount: number) => wire.pay(ana, { payee_customer_id: cafe.customerId, amount });
  return {
    make,
    async pay(amount: number) {
      const payment = await make(amount);
      await wire.confirm(payment);
      return payment;
    },
  };
};

async function fillTheDay(stage: Stage, ana: Actor, cafe: Actor): Promise<string> {
  const { story, wire } = stage;
  const { make, pay } = payer(stage, ana, cafe);
  story.step('A payment may be $100.00');
  stage.refused('$100.01 is a cent too much', await make(100_01), 'limit_exceeded', {
    limit: 'payment_per_transaction',
    maximum: 100_00,
    used: 0,
    requested: 100_01,
  });
  await stage.is(await pay(100_00), 'completed');

  story.step('A day may be $250.00');
  await stage.is(await pay(100_00), 'completed');
  const tooMuch = await make(50_01);
  const { resets_at } = tooMuch.details;
  const day = { limit: 'payment_daily', maximum: 250_00, resets_at };
  const said = '$50.01 more than the $200.00 of today is a cent too much';
  stage.refused(said, tooMuch, 'limit_exceeded', { ...day, used: 200_00, requested: 50_01 });
  const last = await make(50_00);
  await stage.is(last, 'requires_confirmation');
  stage.refused('now a single cent is', await make(1), 'limit_exceeded', {
    ...day,
    used: 250_00,
    requested: 1,
  });

  story.step('The payment of $50.00 is canceled, and the day has room again');
  await wire.post(`/v1/payments/${last.id}/cancel`);
  await stage.is(last, 'canceled');
  for (const amount of [49_99, 1]) await stage.is(await pay(amount), 'completed');
  stage.refused('not a cent more', await make(1), 'limit_exceeded', {
    ...day,
    used: 250_00,
    requested: 1,
  });
  await stage.has(ana, { available: 50_00 });
  return resets_at;
}

async function fillTheBalance({ story, wire, ...stage }: Stage, ana: Actor): Promise<void> {
  const load = (amount: number) => wire.post('/v1/loads', { customer_id: ana.customerId, amount });
  story.step('A balance may be $300.00');
  const ceiling = { limit: 'balance_maximum', maximum: 300_00 };
  stage.refused(
    '$250.01 on top of $50.00 is a cent too much',
    await load(250_01),
    'limit_exceeded',
    {
      ...ceiling,
      used: 50_00,
      requested: 250_01,
    },
  );
  const asked = await load(250_00);
  await stage.is(asked, 'requires_confirmation');
  stage.refused('what is on its way counts', await load(1_00), 'limit_exceeded', {
    ...ceiling,
    used: 300_00,
    requested: 1_00,
  });
  await wire.confirm(asked);
  await wire.simulate('load.settled', asked.id);
  await stage.is(asked, 'settled');
  await stage.has(ana, { available: 300_00 });
}

/** Limits hold to the cent and the second. */
export const limitsToTheCent = tale({
  name: 'limits-to-the-cent',
  title: 'Limits to the cent',
  lead: 'A payment, a day and a balance each take the last cent and refuse the next; what is canceled is given back, and the day begins anew at midnight in New York.',
  settings: {
    limits: {
      ...limits,
      payment_per_transaction: { individual: 100_00, business: null },
      payment_daily: { individual: 250_00, business: null },
      balance_maximum: { individual: 300_00, business: null },
    },
  },
  cast: { ana: person('Ana Reyes', 300_00), cafe: shop('Corner Cafe LLC') },

  async play(stage, { ana, cafe }) {
    const { story } = stage;
    const resetsAt = await fillTheDay(stage, ana, cafe);
    await fillTheBalance(stage, ana);

    const { make, pay } = payer(stage, ana, cafe);
    story.step('Midnight in New York');
    const midnight = Date.parse(resetsAt);
    story.fact('it is five in the morning, UTC', resetsAt.slice(10), 'T05:00:00.000Z');
    await stage.until(new Date(midnight - 1_000).toISOString());
    stage.refused('a second before it a cent is still too much', await make(1), 'limit_exceeded', {
      limit: 'payment_daily',
      maximum: 250_00,
      used: 250_00,
      requested: 1,
      resets_at: resetsAt,
    });

    await stage.until(resetsAt);
    story.say('On the stroke the day begins anew:');
    await stage.is(await pay(100_00), 'completed');
    await stage.has(ana, { available: 200_00 });
    await stage.has(cafe, { available: 348_25 });
  },
});
