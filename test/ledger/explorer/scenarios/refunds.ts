import type { Scenario } from './scenario.ts';

/** The setup where the money of the payment is gone: the shop has only what it opened with. */
const refunding = (shopCents: number): string => `payer = individual 2000,
  shop = business ${shopCents}, payment = pay payer shop 1000, confirm payment, adjust shop -995,
  refund = refund payment 600, coming = pay payer shop 1000`;
const waitingForMoney = `${refunding(0)}, confirm refund`;
const endings = `confirm refund, decline refund, simulate session.expired refund,
  job session_end refund, job refund_deadline refund`;
const parties = `simulate account.suspended shop, close shop, close payer`;
const otherClaims = `dispute payer payment, refund payment 400`;
const money = `job refund_queue shop, confirm coming, adjust shop 600`;

const refunds: readonly Scenario[] = [
  {
    name: 'refund that is held and waits',
    setup: refunding(1_000),
    operations: `${endings}, ${parties}, ${otherClaims}, newSession shop refund,
      withdraw shop 400`,
  },
  {
    name: 'refund whose session is over',
    lateSeconds: 16 * 60,
    setup: refunding(1_000),
    operations: `${endings}, close shop, dispute payer payment`,
  },
  {
    name: 'refund without money that waits',
    setup: refunding(0),
    operations: `${endings}, ${parties}, ${money}, dispute payer payment`,
  },
  {
    name: 'refund that waits for money',
    setup: waitingForMoney,
    operations: `${money}, ${parties}, ${otherClaims}, job refund_wait refund,
      job account_closing shop`,
  },
  {
    name: 'refund that has waited too long',
    lateSeconds: 30 * 24 * 3600 + 60,
    setup: waitingForMoney,
    operations: `job refund_wait refund, ${money}, close shop`,
  },
  {
    name: 'two refunds that wait for money',
    setup: `${waitingForMoney}, second = refund payment 400, confirm second`,
    operations: `${money}, job refund_wait refund, job refund_wait second,
      simulate account.suspended shop, close shop`,
  },
  {
    name: 'refund of a suspended shop',
    setup: `${waitingForMoney}, simulate account.suspended shop`,
    operations: `${money}, job refund_wait refund, simulate account.reactivated shop, close shop,
      job account_restricted shop`,
  },
  {
    name: 'refund at the bank',
    setup: `payer = individual 500, shop = business 0, payment = payByBank payer shop 1000,
      confirm payment, simulate payment.completed payment, refund = refund payment 600,
      confirm refund, order = found instruction refund`,
    operations: `simulate refund.completed refund, simulate refund.failed refund,
      bank order settled 600, bank order failed, bank order returned 600, ${parties},
      ${otherClaims}`,
  },
];

const disputing = `payer = individual 1000, shop = business 0, payment = pay payer shop 1000,
  confirm payment, refund = refund payment 300, dispute = dispute payer payment`;
const credited = `${disputing}, simulate dispute.investigating dispute,
  simulate dispute.provisional_credit dispute`;
const determinations = `simulate dispute.resolved_approved dispute,
  simulate dispute.resolved_partial dispute, simulate dispute.resolved_denied dispute,
  simulate dispute.resolved_withdrawn dispute`;
const refundMoves = `confirm refund, decline refund, refund payment 200`;
const closings = `close payer, close shop`;

const disputes: readonly Scenario[] = [
  {
    name: 'dispute that was received',
    setup: disputing,
    operations: `${determinations}, ${refundMoves}, ${closings},
      simulate dispute.investigating dispute, simulate dispute.provisional_credit dispute,
      job dispute_triage dispute, dispute payer payment, liability merchant dispute`,
  },
  {
    name: 'dispute in investigation',
    setup: `${disputing}, simulate dispute.investigating dispute`,
    operations: `${determinations}, ${refundMoves}, ${closings},
      simulate dispute.provisional_credit dispute, job dispute_credit dispute,
      job dispute_follow dispute, liability platform dispute`,
  },
  {
    name: 'dispute that was credited',
    setup: credited,
    operations: `${determinations}, ${refundMoves}, ${closings}, pay payer shop 500,
      simulate dispute.provisional_credit dispute`,
  },
  {
    name: 'dispute whose credit is to be reversed',
    setup: `${credited}, simulate dispute.resolved_denied dispute`,
    operations: `simulate dispute.closed dispute, job dispute_reversal dispute, pay payer shop 500,
      ${closings}, simulate account.closed payer, dispute payer payment, refund payment 200`,
  },
  {
    name: 'dispute with a second notice',
    setup: `${disputing}, second = dispute payer payment`,
    operations: `${determinations}, simulate dispute.provisional_credit dispute,
      simulate dispute.investigating dispute, dispute payer payment,
      simulate dispute.investigating second, simulate dispute.resolved_denied second,
      job dispute_follow second, job dispute_triage second`,
  },
];

export const refundScenarios: readonly Scenario[] = [...refunds, ...disputes];
