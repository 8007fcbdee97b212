import { morning, noon } from '../days.ts';
import { ago, businessDays, dispute, endpoint, on, pay, review, type Told } from './tell.ts';

const unauthorized = 'unauthorized_transfer';

/** The payments of the customers, long enough after their first deposit that the account is not new. */
const payments: readonly Told[] = [
  [on(22, noon), pay('wreath', 'otto', 'bluedoor', ['Wreath', 58_00])],
  [on(22, noon), pay('boards', 'ingrid', 'rivers', ['Two cheese boards', 104_60])],
  [on(19, noon), pay('trains', 'tomas', 'tinbox', ['Three wooden trains', 116_70])],
  [on(12, noon), pay('bouquets', 'pippa', 'bluedoor', ['Two spring bouquets', 88_00])],
  [on(3, morning), pay('kite', 'leila', 'tinbox', ['Kite', 54_50])],
];

const notices: readonly Told[] = [
  [
    businessDays(12, '14:20'),
    dispute(
      'desmond',
      null,
      unauthorized,
      'About 80 dollars left my account that week. I did not send it.',
    ),
  ],
  [
    businessDays(10, '10:05'),
    dispute('otto', 'wreath', 'error', 'I agreed to pay 48 dollars, and 58 were taken.'),
  ],
  [
    businessDays(9, '13:30'),
    dispute('ingrid', 'boards', 'error', 'I ordered one cheese board and was charged for two.'),
  ],
  [
    businessDays(7, '09:50'),
    dispute(
      'tomas',
      'trains',
      unauthorized,
      'My phone was stolen that day. I never bought any toys.',
    ),
  ],
  [
    businessDays(4, '11:45'),
    dispute(
      'pippa',
      'bouquets',
      unauthorized,
      'I was on a plane when this was paid. Somebody else must have used my account.',
    ),
  ],
  [ago(150), dispute('leila', 'kite', 'error', 'The kite was charged twice.')],
];

/** The Tenant's endpoint takes each of these events, so that the customer is told in time. */
const decisions: readonly Told[] = [
  [
    businessDays(6, '15:40'),
    endpoint('answering'),
    review(
      'dispute:wreath',
      'credit',
      'The shop has not answered yet; credited ahead of the tenth day.',
    ),
  ],
  [businessDays(6, '15:45'), endpoint('off')],
  [
    businessDays(3, '10:20'),
    endpoint('answering'),
    review('dispute:trains', 'credit', 'Police report seen. The shop is looking for its receipts.'),
  ],
  [businessDays(3, '10:25'), endpoint('off')],
  [
    businessDays(2, '16:30'),
    endpoint('answering'),
    review(
      'dispute:wreath',
      'resolve_denied',
      'The receipt shows 58.00, and the customer confirmed that amount on the page.',
      'The shop showed us its receipt over $58.00. You confirmed this amount with your PIN.',
    ),
  ],
  [businessDays(2, '16:35'), endpoint('off')],
];

/** Six notices under Regulation E, each on another day of its clock. */
export const disputes: readonly Told[] = [...payments, ...notices, ...decisions];
