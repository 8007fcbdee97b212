import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import type { Scenario } from './scenario.ts';

const paying = `payer = individual 1000, shop = business 0, payment = pay payer shop 1000,
  key = key`;
const opened = `${paying}, page = openFlow payment`;
const moves = `confirm payment, decline payment,
  simulate session.canceled payment/confirmation_session,
  simulate session.expired payment/confirmation_session, job session_end payment, cancel payment,
  newSession payer payment`;
const pageMoves = `openFlow payment, signOfLife page, takeResult page`;

const { limits } = defaultSettings('');
const daily = (cents: number) => ({ individual: cents, business: null });

export const sessionScenarios: readonly Scenario[] = [
  { name: 'session that was made', setup: paying, operations: `${moves}, openFlow payment` },
  { name: 'session that is open', setup: opened, operations: `${moves}, ${pageMoves}` },
  {
    name: 'session that is open, past its end',
    lateSeconds: 11 * 60,
    setup: opened,
    operations: `${moves}, ${pageMoves}`,
  },
  {
    name: 'session that has ended',
    setup: `${opened}, confirm payment, result = takeResult page`,
    operations: `${pageMoves}, exchange result, exchange result key, exchangeTestToken payment,
      newSession payer payment`,
  },
  {
    name: 'requests under one key',
    setup: `${paying}, second = key`,
    operations: `under key payByBank payer shop 300, under key payByBank payer shop 400,
      under key load payer 500, under second cancel payment, under second close payer`,
  },
  {
    name: 'orders of one day',
    settings: {
      limits: {
        ...limits,
        payment_daily: daily(1_500),
        withdrawal_daily: daily(500),
        load_daily: daily(1_500),
      },
    },
    setup: `${paying}, decline payment, waiting = payByBank payer shop 600`,
    operations: `pay payer shop 600, payByBank payer shop 600, pay payer shop 300, cancel waiting,
      confirm waiting, withdraw payer 300, load payer 300`,
  },
  {
    name: 'event that is delivered',
    delivers: true,
    setup: `${paying}, event = found event payment`,
    operations: `resend event, confirm payment, cancel payment`,
  },
];
