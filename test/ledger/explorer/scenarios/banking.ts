import type { Scenario } from './scenario.ts';

const linked = `person = individual 1000, link = found linked_account person`;
const waits = (kind: 'withdrawal' | 'load'): string => `confirm record, decline record,
  simulate session.expired record, job session_end record, job ${kind}_deadline record,
  newSession person record`;
/** The answers of the bank for an order, as it sends them and as the sandbox simulates them. */
const answers = (kind: 'withdrawal' | 'load', amount: number): string => `
  simulate ${kind}.settled record, simulate ${kind}.failed record, bank order settled ${amount},
  bank order failed, bank order settled ${amount - 1}, bank order returned 300`;
const accountMoves = `simulate account.suspended person, close person,
  simulate account.closed person`;
const linkMoves = `simulate linked_account.failed link, unlink person link`;

const withdrawing = `${linked}, record = withdraw person 1000`;
const withdrawn = `${withdrawing}, confirm record, order = found instruction record`;
const loading = `${linked}, record = load person 700`;
const loaded = `${loading}, confirm record, order = found instruction record`;

const orders: readonly Scenario[] = [
  {
    name: 'withdrawal that waits',
    setup: withdrawing,
    operations: `${waits('withdrawal')}, ${accountMoves}, ${linkMoves}, withdraw person 1000,
      simulate customer.in_review person`,
  },
  {
    name: 'withdrawal whose session is over',
    lateSeconds: 16 * 60,
    setup: withdrawing,
    operations: `${waits('withdrawal')}, close person`,
  },
  {
    name: 'withdrawal at the bank',
    setup: withdrawn,
    operations: `${answers('withdrawal', 1_000)}, ${accountMoves}, ${linkMoves}`,
  },
  {
    name: 'withdrawal that is settled',
    setup: `${withdrawn}, simulate withdrawal.settled record`,
    operations: `simulate withdrawal.returned record, ${answers('withdrawal', 1_000)},
      bank order returned 800, ${accountMoves}`,
  },
  {
    name: 'load that waits',
    setup: loading,
    operations: `${waits('load')}, ${accountMoves}, ${linkMoves}`,
  },
  {
    name: 'load whose session is over',
    lateSeconds: 16 * 60,
    setup: loading,
    operations: `${waits('load')}, close person`,
  },
  {
    name: 'load at the bank',
    setup: loaded,
    operations: `${answers('load', 700)}, ${accountMoves}, ${linkMoves}`,
  },
  {
    name: 'load past its time',
    lateSeconds: 40 * 24 * 3600,
    setup: loaded,
    operations: `${answers('load', 700)}, job load_timeout record, simulate account.closed person`,
  },
  {
    name: 'load that has failed',
    setup: `${loaded}, simulate load.failed record`,
    operations: `simulate load.paid_late record, ${answers('load', 700)}, close person`,
  },
];

const linkOperations = `simulate linked_account.verified link, simulate linked_account.failed link,
  simulate linked_account.held_for_review link, unlink person link, link person, close person,
  load person 500`;
/** The second link of a customer takes no withdrawals at first. */
const secondLink = `${linked}, unlink person link, link = link person,
  simulate linked_account.verified link`;
const holdOperations = `simulate linked_account.hold_released link, job withdrawal_hold link,
  simulate linked_account.failed link, unlink person link, withdraw person 500`;

const links: readonly Scenario[] = [
  {
    name: 'customer without a linked account',
    setup: `person = individual 0`,
    operations: `link person, close person, simulate account.suspended person, load person 500`,
  },
  {
    name: 'link that is checked',
    setup: `person = individual 0, link = link person`,
    operations: linkOperations,
  },
  {
    name: 'link that is reviewed',
    setup: `person = individual 0, link = link person,
      simulate linked_account.held_for_review link`,
    operations: linkOperations,
  },
  { name: 'second link with a withdrawal hold', setup: secondLink, operations: holdOperations },
  {
    name: 'second link after its withdrawal hold',
    lateSeconds: 73 * 3600,
    setup: secondLink,
    operations: holdOperations,
  },
];

export const bankingScenarios: readonly Scenario[] = [...orders, ...links];
