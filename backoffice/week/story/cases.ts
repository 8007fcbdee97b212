import { evening, morning, noon } from '../days.ts';
import { ago, load, on, play, review, type Told, withdraw } from './tell.ts';

/** Money that fits no record, and a bank that contradicts itself. */
const bank: readonly Told[] = [
  [on(12, noon), withdraw('greta', 'greta', 60_00), { do: 'close', who: 'greta' }],
  [
    on(5, morning),
    load('otto-late', 'otto', 120_00, 'session.completed', ['load.failed', 'bank_timeout']),
  ],
  [on(5, morning), withdraw('juniper', 'juniper', 60_00), withdraw('juniper-2', 'juniper', 25_00)],
  [
    on(5, morning),
    withdraw('rivers', 'rivers', 40_00, [
      'session.completed',
      ['withdrawal.failed', 'account_blocked'],
    ]),
  ],
  [on(3, morning), play('load.paid_late', 'load:otto-late')],
  [
    on(2, evening),
    load('kofi-other', 'kofi', 200_00, 'session.completed'),
    { do: 'bank', of: 'load:kofi-other', answer: { settled: 180_00 } },
  ],
  [on(1, morning), { do: 'bank', of: 'out:juniper', answer: { failed: 'AC04' } }],
  [on(1, evening), play('withdrawal.returned', 'out:greta')],
];

/** Customers who need a person, or have left. */
const people: readonly Told[] = [
  [on(7, morning), { do: 'unlink', who: 'hugo' }],
  [on(6, evening), play('account.dormant', 'edith.account')],
  [
    on(4, morning),
    review(
      'silas.account',
      'suspend',
      'Two shops report goods that were resold under a false name.',
    ),
    review('silas.account', 'place_hold', 'A court has asked to keep the balance.'),
  ],
  [on(2, morning), { do: 'close', who: 'paulo' }],
  [on(2, morning), { do: 'terms', who: 'pippa', accepts: true }],
  [on(2, evening), play('customer.pin_locked', 'finn')],
  [on(1, morning), { do: 'terms', who: 'gus', accepts: false }],
  [on(1, evening), play('customer.in_review', 'yusuf')],
];

/** The cases that the staff have begun when the week ends. */
const begun: readonly Told[] = [
  [
    ago(4),
    {
      do: 'ask',
      on: 'ingrid.account',
      move: 'adjust',
      amount: 15_00,
      note: 'The second board was fetched late, and the customer was promised 15.00.',
    },
    {
      do: 'take',
      on: 'bram',
      note: 'The document shows a second surname. Asked the provider for the original.',
    },
    {
      do: 'take',
      on: 'dispute:bouquets',
      note: 'The airline confirmed the flight. Waiting for the shop.',
    },
  ],
];

/** The cases that a reviewer then finds on the desk, beside the disputes. */
export const cases: readonly Told[] = [...bank, ...people, ...begun];
