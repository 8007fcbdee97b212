import { evening, morning } from '../days.ts';
import {
  ago,
  endpoint,
  load,
  on,
  pay,
  play,
  refund,
  request,
  type Told,
  withdraw,
} from './tell.ts';

const train = ['Wooden train', 38_90] as const;
const byBank = { by: 'bank_account' } as const;

/** Payments, refunds, requests and loads that end otherwise than most. */
const ended: readonly Told[] = [
  [on(6, morning), pay('harvest', 'gus', 'harvest', ['Lunch boxes', 44_00])],
  [
    on(5, morning),
    pay('cake', 'rosa', 'juniper', ['Birthday cake', 46_00]),
    refund('cake', 46_00, 'goods_not_received'),
  ],
  [
    on(4, evening),
    pay('boxes', 'gus', 'oldmill', ['Two vegetable boxes', 64_00]),
    refund('boxes', 32_00, 'requested_by_customer'),
  ],
  [
    on(4, evening),
    load('gus-failed', 'gus', 300_00, 'session.completed', [
      'load.failed',
      'insufficient_funds_at_bank',
    ]),
    load('gus-left', 'gus', 100_00, 'session.canceled'),
  ],
  [
    on(3, evening),
    pay('maeve-1', 'maeve', 'tinbox', train, byBank),
    pay('maeve-2', 'maeve', 'tinbox', train, byBank),
    pay('maeve-3', 'maeve', 'tinbox', train, byBank),
    pay('maeve-failed', 'maeve', 'bluedoor', ['Spring bouquet', 44_00], {
      ...byBank,
      steps: ['session.completed', ['payment.failed', 'insufficient_funds_at_bank']],
    }),
  ],
  [
    on(2, morning),
    request('paid', 'rivers', 52_30),
    pay('request', 'ingrid', 'rivers', ['Cheese board', 52_30], { request: 'request:paid' }),
    request('lapsed', 'rivers', 19_80),
    play('payment_request.expired', 'request:lapsed'),
    request('canceled', 'rivers', 13_20),
    { do: 'cancel', on: 'request:canceled', is: 'payment_request' },
  ],
  [
    on(2, morning),
    withdraw('harvest', 'harvest', 43_78),
    withdraw('tinbox', 'tinbox', 90_00),
    withdraw('leila', 'leila', 20_00),
    play('withdrawal.returned', 'out:leila'),
  ],
  [
    on(1, morning),
    refund('maeve-1', 38_90, 'requested_by_customer', {
      steps: ['session.completed', 'refund.completed'],
    }),
    refund('maeve-2', 38_90, 'requested_by_customer', {
      steps: ['session.completed', ['refund.failed', 'account_blocked']],
    }),
    refund('maeve-3', 10_00, 'requested_by_customer'),
  ],
  [on(1, evening), refund('harvest', 44_00, 'goods_not_received')],
  [
    on(1, evening),
    pay('rosa-canceled', 'rosa', 'lantern', ['Cups and scones', 22_60], { steps: [] }),
    { do: 'cancel', on: 'pay:rosa-canceled', is: 'payment' },
    pay('rosa-expired', 'rosa', 'lantern', ['Tea for two', 17_40], { steps: ['session.expired'] }),
  ],
];

/** The trade under way when the week ends. */
const open: readonly Told[] = [
  [
    ago(4),
    load('nikolai', 'nikolai', 150_00, 'session.completed'),
    load('sabine', 'sabine', 80_00),
    withdraw('bluedoor', 'bluedoor', 70_00, ['session.completed']),
    withdraw('oldmill', 'oldmill', 55_00, []),
    endpoint('refusing'),
    pay('open', 'rosa', 'juniper', ['Sourdough and six rolls', 14_50], { steps: [] }),
    pay('asked', 'maeve', 'bluedoor', ['Wreath', 58_00], {
      ...byBank,
      steps: ['session.completed'],
    }),
    refund('boxes', 12_00, 'other', { name: 'open', steps: [] }),
    request('open', 'lantern', 48_00),
  ],
];

/** The trade of the week that is not ordinary. */
export const trades: readonly Told[] = [...ended, ...open];
