import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { refusalOf } from '../kit/refusal.ts';
import { journey } from './journey.ts';
import { secondsBefore } from './new_york.ts';
import { type Actor, person, type Run, shop } from './run.ts';

const { limits } = defaultSettings('');

async function fillTheDay(run: Run, ana: Actor, cafe: Actor): Promise<string> {
  const { story, api } = run;
  const make = (amount: number) => api.pay(ana, cafe, amount);
  story.step('A payment may be $100.00');
  await run.refused('$100.01 is a cent too much', make(100_01), 'limit_exceeded', {
    limit: 'payment_per_transaction',
    maximum: 100_00,
    used: 0,
    requested: 100_01,
  });
  await run.paid(ana, cafe, 100_00);

  story.step('A day may be $250.00');
  await run.paid(ana, cafe, 100_00);
  const { resets_at } = (await refusalOf(make(50_01))).details;
  const day = { limit: 'payment_daily', maximum: 250_00, resets_at };
  const sentence = '$50.01 more than the $200.00 of today is a cent too much';
  await run.refused(sentence, make(50_01), 'limit_exceeded', {
    ...day,
    used: 200_00,
    requested: 50_01,
  });
  const last = await make(50_00);
  await run.is(last, 'requires_confirmation');
  await run.refused('now a single cent is', make(1), 'limit_exceeded', {
    ...day,
    used: 250_00,
    requested: 1,
  });

  story.step('The payment of $50.00 is canceled, and the day has room again');
  await api.post(`/v1/payments/${last.id}/cancel`);
  await run.is(last, 'canceled');
  for (const amount of [49_99, 1]) await run.paid(ana, cafe, amount);
  await run.refused('not a cent more', make(1), 'limit_exceeded', {
    ...day,
    used: 250_00,
    requested: 1,
  });
  await run.has(ana, { available: 50_00 });
  return resets_at;
}

async function fillTheBalance(run: Run, ana: Actor): Promise<void> {
  const { story, api } = run;
  story.step('A balance may be $300.00');
  const ceiling = { limit: 'balance_maximum', maximum: 300_00 };
  await run.refused(
    '$250.01 on top of $50.00 is a cent too much',
    api.load(ana, 250_01),
    'limit_exceeded',
    {
      ...ceiling,
      used: 50_00,
      requested: 250_01,
    },
  );
  const asked = await api.load(ana, 250_00);
  await run.is(asked, 'requires_confirmation');
  await run.refused('what is on its way counts', api.load(ana, 1_00), 'limit_exceeded', {
    ...ceiling,
    used: 300_00,
    requested: 1_00,
  });
  await api.played(asked, 'session.completed', 'load.settled');
  await run.is(asked, 'settled');
  await run.has(ana, { available: 300_00 });
}

journey({
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
  people: { ana: person('Ana Reyes', 300_00), cafe: shop('Corner Cafe LLC') },

  async steps(run, { ana, cafe }) {
    const { story, api } = run;
    const resetsAt = await fillTheDay(run, ana, cafe);
    await fillTheBalance(run, ana);

    const make = (amount: number) => api.pay(ana, cafe, amount);
    story.step('Midnight in New York');
    story.fact('it is five in the morning, UTC', resetsAt.slice(10), 'T05:00:00.000Z');
    await run.until(secondsBefore(resetsAt, 1));
    await run.refused('a second before it a cent is still too much', make(1), 'limit_exceeded', {
      limit: 'payment_daily',
      maximum: 250_00,
      used: 250_00,
      requested: 1,
      resets_at: resetsAt,
    });

    await run.until(resetsAt);
    story.say('On the stroke the day begins anew:');
    await run.paid(ana, cafe, 100_00);
    await run.has(ana, { available: 200_00 });
    await run.has(cafe, { available: 348_25 });
  },
});
