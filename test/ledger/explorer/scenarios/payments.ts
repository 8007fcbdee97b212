import type { Scenario } from './scenario.ts';

const waiting = `payer = individual 1000, shop = business 0, payment = pay payer shop 1000`;
const waitingByBank = `payer = individual 500, shop = business 0,
  payment = payByBank payer shop 1000`;
const endings = `confirm payment, decline payment, simulate session.canceled payment,
  cancel payment, simulate session.expired payment, job session_end payment,
  job payment_deadline payment, newSession payer payment`;
const parties = `simulate account.suspended payer, close payer, simulate account.suspended shop,
  close shop`;
const bankAnswers = `simulate payment.completed payment, simulate payment.failed payment,
  job payment_timeout payment`;

const payments: readonly Scenario[] = [
  {
    name: 'payment that waits',
    setup: waiting,
    operations: `${endings}, ${parties}, simulate customer.in_review payer, withdraw payer 1000,
      pay payer shop 1000, refund payment 1000`,
  },
  {
    name: 'payment whose session is over',
    lateSeconds: 16 * 60,
    setup: waiting,
    operations: `${endings}, simulate account.suspended payer`,
  },
  {
    name: 'payment whose payer was suspended',
    keepsJobs: true,
    setup: `${waiting}, simulate account.suspended payer`,
    operations: `${endings}, job account_restricted payer, simulate account.reactivated payer,
      close payer`,
  },
  {
    name: 'payment by bank that waits',
    setup: waitingByBank,
    operations: `${endings}, ${parties}, ${bankAnswers}`,
  },
  {
    name: 'payment by bank in processing',
    setup: `${waitingByBank}, confirm payment`,
    operations: `${bankAnswers}, ${parties}, cancel payment, refund payment 1000,
      dispute payer payment, job account_closing shop`,
  },
  {
    name: 'payment by bank past its time',
    lateSeconds: 40 * 24 * 3600,
    setup: `${waitingByBank}, confirm payment`,
    operations: `${bankAnswers}, close payer`,
  },
  {
    name: 'payment that is completed',
    setup: `${waiting}, confirm payment`,
    operations: `${parties}, confirm payment, cancel payment, refund payment 1000,
      refund payment 600, refund payment 300, dispute payer payment, dispute shop payment,
      adjust shop -995`,
  },
];

const requestCustomers = `payer = individual 1000, other = individual 500, shop = business 0`;
const requested = `${requestCustomers}, request = ask shop 500,
  mine = payCode payer balance request, theirs = payCode other bank_account request`;
const mine = `confirm mine, cancel mine`;
const theirs = `confirm theirs, decline theirs`;
const requestEndings = `cancelRequest request, simulate payment_request.expired request,
  job payment_request_expiry request`;
const requestMoves = `${requestEndings}, payCode payer balance request`;
const shopMoves = `close shop, simulate account.suspended shop`;
const theirBank = `simulate payment.completed theirs, simulate payment.failed theirs,
  job payment_timeout theirs`;

const requests: readonly Scenario[] = [
  {
    name: 'request with two payments',
    setup: requested,
    operations: `${mine}, ${theirs}, ${requestMoves}, ${shopMoves},
      job payment_request_ended request`,
  },
  {
    name: 'request with a payment at the bank',
    setup: `${requested}, confirm theirs`,
    operations: `${theirBank}, ${mine}, ${requestMoves}, ${shopMoves}`,
  },
  {
    name: 'request that expired with a payment at the bank',
    lateSeconds: 16 * 60,
    setup: `${requested}, confirm theirs`,
    operations: `${theirBank}, job payment_request_expiry request, confirm mine,
      job session_end mine, cancelRequest request`,
  },
  {
    name: 'request that was paid',
    keepsJobs: true,
    setup: `${requested}, confirm mine`,
    operations: `${theirs}, job payment_request_ended request, ${requestMoves},
      newSession other theirs, refund mine 500`,
  },
  {
    name: 'request of a closing shop',
    keepsJobs: true,
    setup: `${requested}, close shop`,
    operations: `${mine}, ${theirs}, ${requestMoves}, job account_closing shop,
      job requests_closing shop`,
  },
  {
    name: 'static request with two payments',
    setup: `${requestCustomers}, request = ask shop, mine = payCode payer balance request 500,
      theirs = payCode other bank_account request 500`,
    operations: `${mine}, ${theirs}, ${requestEndings}, ${shopMoves},
      payCode payer balance request 500`,
  },
];

export const paymentScenarios: readonly Scenario[] = [...payments, ...requests];
