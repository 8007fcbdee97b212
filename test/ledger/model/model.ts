import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { openDisputes } from './resources/disputes.ts';
import { openLinks } from './resources/links.ts';
import { openLoads } from './resources/loads.ts';
import { openPayments } from './resources/payments.ts';
import { openRefunds } from './resources/refunds.ts';
import { openTerms } from './resources/terms.ts';
import { openWithdrawals } from './resources/withdrawals.ts';
import {
  type Book,
  isOpen,
  isSent,
  type ModelPerson,
  type ModelTarget,
  newSession,
} from './types.ts';

/** The book of one tenant: its resources, and what goes across them. */
export function openModel(
  settings: Settings,
  people: ModelPerson[],
  { calendar }: Pick<Book, 'calendar'>,
) {
  const book: Book = {
    settings,
    calendar,
    people,
    clock: { nowMs: 0 },
    payments: [],
    loads: [],
    disputes: [],
    withdrawals: [],
    refunds: [],
    requests: [],
  };
  const payments = openPayments(book);
  const withdrawals = openWithdrawals(book);
  const loads = openLoads(book);
  const links = openLinks(book);
  const disputes = openDisputes(book);
  const refunds = openRefunds(book, ({ dispute }) => {
    if (dispute) disputes.follow(dispute, book.clock.nowMs);
  });
  const targets = (): ModelTarget[] => [
    ...book.payments,
    ...book.loads,
    ...book.withdrawals,
    ...book.refunds,
  ];
  const graceMs = settings.confirmation_grace_seconds * 1000;

  function decline(target: ModelTarget, failureCode: string): void {
    if (target.kind === 'payment') payments.end(target, 'canceled', failureCode);
    else if (target.kind === 'withdrawal') withdrawals.fail(target, failureCode);
    else if (target.kind === 'load') loads.fail(target, failureCode);
    else refunds.fail(target, failureCode);
  }

  function expire(target: ModelTarget): void {
    if (target.kind === 'payment') payments.end(target, 'canceled', null);
    else decline(target, 'confirmation_expired');
  }

  /** A session ended without a decision: the record goes with it, or waits for the grace. */
  function wait(target: ModelTarget, nowMs: number): void {
    if (target.session) target.session.live = false;
    if (graceMs === 0) expire(target);
    else target.deadlineMs = nowMs + graceMs;
  }

  const dueMs = (target: ModelTarget): number => {
    if (!isOpen(target) || !target.session) return Infinity;
    return target.session.live ? target.session.endsMs : (target.deadlineMs ?? Infinity);
  };

  /** Cascade (a) of decisions 1.1: what waits for the customer of an account ends with its use. */
  function restrict(person: ModelPerson): void {
    for (const payment of book.payments)
      if (payment.customer === person && isOpen(payment)) payments.end(payment, 'canceled', null);
    loads.restrict(person);
    withdrawals.restrict(person);
    refunds.restrict(person);
  }

  /** Whatever of an account is open, besides refunds that wait for money. */
  const isBusy = (person: ModelPerson): boolean =>
    disputes.holdsUp(person) ||
    targets().some((one) => one.customer === person && (isOpen(one) || isSent(one))) ||
    book.payments.some((one) => one.payee === person && isSent(one));

  function finish(person: ModelPerson): void {
    Object.assign(person, { status: 'closed', closedMs: book.clock.nowMs });
    person.events.push('closed');
  }

  /** One step of a closing (decisions 1.9). */
  function step(person: ModelPerson): void {
    if (person.status !== 'closing' || person.heldBack || isBusy(person)) return;
    for (const refund of refunds.waitingOf(person)) {
      const loss = refunds.lossOf(refund);
      if (!loss && refunds.isFundable(refund)) return;
      refunds.fail(refund, loss ?? 'insufficient_funds');
    }
    person.retryMs = null;
    if (person.available > 0) withdrawals.payOut(person);
    else finish(person);
  }

  /** What is due at once, until nothing is. */
  function settle(): void {
    for (let round = 0; people.some(({ isNews }) => isNews); round += 1) {
      if (round > 100) throw new Error('the model does not come to rest');
      for (const person of people) {
        if (!person.isNews) continue;
        person.isNews = false;
        refunds.serve(person);
        step(person);
      }
    }
  }

  /** Runs a prediction, and what follows at once. */
  const then = (outcome: string): string => {
    settle();
    return outcome;
  };
  const ifLive = (target: ModelTarget, act: () => void): string => {
    if (target.session?.live !== true) return 'invalid_state';
    act();
    return then('done');
  };

  return {
    ...book,
    create: (...order: Parameters<typeof payments.create>) => then(payments.create(...order)),
    withdraw: (...order: Parameters<typeof withdrawals.create>) =>
      then(withdrawals.create(...order)),
    refund: (...order: Parameters<typeof refunds.create>) => then(refunds.create(...order)),
    cancel: (...order: Parameters<typeof payments.cancel>) => then(payments.cancel(...order)),
    ...openTerms(book),
    ask: payments.ask,
    cancelRequest: (...order: Parameters<typeof payments.cancelRequest>) =>
      then(payments.cancelRequest(...order)),
    expireRequest: payments.expireRequest,
    load: (...order: Parameters<typeof loads.create>) => then(loads.create(...order)),
    dispute: (...order: Parameters<typeof disputes.create>) => then(disputes.create(...order)),
    investigate: disputes.investigate,
    credit: (...order: Parameters<typeof disputes.credit>) => then(disputes.credit(...order)),
    determine: (...order: Parameters<typeof disputes.determine>) =>
      then(disputes.determine(...order)),
    finishDispute: (...order: Parameters<typeof disputes.finish>) =>
      then(disputes.finish(...order)),
    link: links.create,
    verifyLink: (...order: Parameters<typeof links.verify>) => then(links.verify(...order)),
    holdLink: links.holdForReview,
    failLink: links.fail,
    removeLink: links.remove,
    releaseHold: links.releaseHold,
    confirm(target: ModelTarget, nowMs: number): string {
      const { session } = target;
      if (session?.live !== true) return 'invalid_state';
      const outcome =
        target.kind === 'payment'
          ? payments.confirm(target, nowMs)
          : target.kind === 'withdrawal'
            ? withdrawals.confirm(target)
            : target.kind === 'load'
              ? loads.confirm(target, nowMs)
              : refunds.confirm(target, nowMs);
      if (outcome === 'done') session.live = false;
      return then(outcome);
    },
    /** What the bank says of what it has. */
    answer(target: ModelTarget, pays: boolean, nowMs: number): string {
      if (target.kind === 'payment') return then(payments.answer(target, pays, nowMs));
      if (target.kind === 'withdrawal') return then(withdrawals.answer(target, pays, nowMs));
      if (target.kind === 'load') return then(loads.answer(target, pays));
      return then(refunds.answer(target, pays));
    },
    decline: (target: ModelTarget) =>
      ifLive(target, () => decline(target, 'confirmation_declined')),
    /** The customer leaves, or the session's end is reached. */
    leave: (target: ModelTarget, nowMs: number) => ifLive(target, () => wait(target, nowMs)),
    openSession(target: ModelTarget, nowMs: number): string {
      if (!isOpen(target)) return 'invalid_state';
      target.session = newSession(nowMs);
      target.deadlineMs = null;
      return 'done';
    },
    suspend(person: ModelPerson): string {
      if (person.status !== 'active') return 'invalid_state';
      Object.assign(person, { status: 'suspended', heldBack: true });
      person.events.push('suspended');
      restrict(person);
      return then('done');
    },
    reactivate(person: ModelPerson): string {
      if (!person.heldBack) return 'invalid_state';
      person.heldBack = false;
      if (person.status === 'suspended') {
        person.status = 'active';
        person.events.push('reactivated');
      }
      person.isNews = true;
      return then('done');
    },
    close(person: ModelPerson): string {
      if (person.status !== 'active' && person.status !== 'suspended') return 'invalid_state';
      person.status = 'closing';
      person.events.push('closing');
      restrict(person);
      payments.closeDown(person);
      person.isNews = true;
      return then('done');
    },
    /** Played: a payout under way arrives, and the account closes, when nothing else stands. */
    finishClosing(person: ModelPerson, nowMs: number): string {
      if (person.status !== 'closing' || person.heldBack) return 'invalid_state';
      const payouts = book.withdrawals.filter(
        (one) => one.customer === person && one.day === null && isSent(one),
      );
      const sum = payouts.reduce((cents, { amount }) => cents + amount, 0);
      if (person.available + person.pending + person.earmarked !== sum) return 'invalid_state';
      const others = targets().some(
        (one) => one.customer === person && !payouts.includes(one as never) && isSent(one),
      );
      if (others || refunds.waitingOf(person).length > 0) return 'invalid_state';
      if (disputes.holdsUp(person)) return 'invalid_state';
      if (book.payments.some((one) => one.payee === person && isSent(one))) return 'invalid_state';
      for (const payout of payouts) withdrawals.answer(payout, true, nowMs);
      person.isNews = true;
      return then('done');
    },
    /** When time next changes anything. */
    nextDueMs: (): number =>
      Math.min(
        ...targets().map(dueMs),
        ...people.map(({ retryMs }) => retryMs ?? Infinity),
        payments.nextDueMs(),
        loads.nextDueMs(),
        links.nextDueMs(),
        disputes.nextDueMs(),
        refunds.nextDueMs(),
      ),
    /** What falls due at this very instant. */
    runDue(nowMs: number): void {
      book.clock.nowMs = nowMs;
      payments.runDue(nowMs);
      loads.runDue(nowMs);
      links.runDue(nowMs);
      disputes.runDue(nowMs);
      refunds.runDue(nowMs);
      for (const target of targets()) {
        if (dueMs(target) > nowMs) continue;
        if (target.session?.live) wait(target, nowMs);
        else expire(target);
      }
      for (const person of people) {
        if ((person.retryMs ?? Infinity) > nowMs) continue;
        Object.assign(person, { retryMs: null, isNews: true });
      }
      settle();
    },
  };
}

export type Model = ReturnType<typeof openModel>;
