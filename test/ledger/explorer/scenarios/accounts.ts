import type { Scenario } from './scenario.ts';

const holding = `person = business 1000, shop = business 1000, coming = pay shop person 400,
  going = pay person shop 300, link = found linked_account person`;
const accountMoves = `simulate account.suspended person, simulate account.reactivated person,
  close person`;
const decisions = `simulate customer.in_review person, simulate customer.approved person,
  simulate customer.rejected person`;
const money = `confirm coming, confirm going, adjust person -500`;
const holds = `placeHold person, releaseHold person`;
const closing = `job account_closing person, job account_restricted person,
  simulate account.closed person`;
const linkMoves = `unlink person link, simulate linked_account.failed link`;

export const accountScenarios: readonly Scenario[] = [
  {
    name: 'account with money',
    setup: holding,
    operations: `${accountMoves}, ${money}, withdraw person 500, adjust person 200, ${holds},
      simulate customer.in_review person, simulate account.dormant person,
      simulate statement.available person`,
  },
  {
    name: 'account that is dormant',
    setup: `${holding}, simulate account.dormant person`,
    operations: `${accountMoves}, ${money}, withdraw person 500,
      simulate customer.in_review person`,
  },
  {
    name: 'account suspended for two reasons',
    setup: `${holding}, simulate account.suspended person, simulate customer.in_review person`,
    operations: `${accountMoves}, ${decisions}, ${money}, job account_restricted person`,
  },
  {
    name: 'account that begins to close',
    keepsJobs: true,
    setup: `${holding}, close person`,
    operations: `${closing}, ${money}, ${holds}, ${linkMoves}, ${decisions}`,
  },
  {
    name: 'account that is paid out',
    setup: `${holding}, close person, job account_restricted person, job account_closing person,
      payout = found withdrawal person`,
    operations: `${closing}, ${linkMoves}, confirm coming, placeHold person,
      simulate customer.in_review person, simulate withdrawal.settled payout,
      simulate withdrawal.failed payout, adjust person 200`,
  },
  {
    name: 'account that closes without a bank',
    keepsJobs: true,
    setup: `${holding}, unlink person link, close person, job account_restricted person,
      second = link person`,
    operations: `${closing}, simulate linked_account.verified second,
      simulate linked_account.failed second, link person, adjust person -1000, confirm coming`,
  },
  {
    name: 'money in suspense',
    setup: `person = individual 500, other = individual 0, load = load person 700, confirm load,
      simulate load.failed load, simulate load.paid_late load, item = found suspense load,
      message = found bank_message load, order = found instruction load`,
    operations: `match item, match item other, giveBack item, closeMessage message,
      bank order settled 700, bank order settled 600, close person, simulate account.closed other,
      close other`,
  },
];
