import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { acceptDelay, givePapers } from './resources/dispute_rules.ts';
import { openDisputes } from './resources/disputes.ts';
import { openLinks } from './resources/links.ts';
import { openLoads } from './resources/loads.ts';
import { openPayments } from './resources/payments.ts';
import { openRefunds } from './resources/refunds.ts';
import { openTerms } from './resources/terms.ts';
import { openWithdrawals } from './resources/withdrawals.ts';
import {
  type Due,
  isOpen,
  isSent,
  type Ledger,
  type ModelDispute,
  type ModelPerson,
  type ModelTarget,
  newSession,
} from './types.ts';

/** The handler of each kind of target. */
interface Handler {
  /** Its customer confirms. */
  confirm(target: ModelTarget): string;
  /** The bank answers what it has. */
  answer(target: ModelTarget, pays: boolean): void;
  /** Ends it before it was confirmed. */
  end(target: ModelTarget, failureCode: string): void;
}

interface Start {
  readonly calendar: boolean;
  readonly nowMs: number;
}

/** The resources of one tenant over one ledger. */
function openResources(settings: Settings, people: ModelPerson[], { calendar, nowMs }: Start) {
  const none = {
    payments: [],
    loads: [],
    disputes: [],
    withdrawals: [],
    refunds: [],
    requests: [],
  };
  const ledger: Ledger = { settings, calendar, people, clock: { nowMs }, ...none };
  const payments = openPayments(ledger);
  const withdrawals = openWithdrawals(ledger);
  const loads = openLoads(ledger);
  const links = openLinks(ledger);
  const disputes = openDisputes(ledger);
  const refunds = openRefunds(ledger, ({ dispute }) => {
    if (dispute) disputes.follow(dispute);
  });
  const handlers = { payment: payments, load: loads, withdrawal: withdrawals, refund: refunds };
  const handlerOf = ({ kind }: ModelTarget) => handlers[kind] as unknown as Handler;
  const targets = (): ModelTarget[] => [
    ...ledger.payments,
    ...ledger.loads,
    ...ledger.withdrawals,
    ...ledger.refunds,
  ];
  return { ledger, payments, withdrawals, loads, links, disputes, refunds, handlerOf, targets };
}

/** The model of one tenant: its resources, and what concerns several of them. */
export function openModel(settings: Settings, people: ModelPerson[], start: Start) {
  // Its terms change.
  const own = structuredClone(settings);
  const { ledger, handlerOf, targets, ...resources } = openResources(own, people, start);
  const { payments, withdrawals, loads, links, disputes, refunds } = resources;
  const terms = openTerms(ledger);
  const { clock } = ledger;
  const graceMs = settings.confirmation_grace_seconds * 1000;
  const end = (target: ModelTarget, failureCode: string) =>
    handlerOf(target).end(target, failureCode);

  /** A session ended without a decision: its record ends too, or waits for the grace. */
  function endSession(target: ModelTarget): void {
    if (target.session) target.session.live = false;
    if (graceMs === 0) end(target, 'confirmation_expired');
    else target.deadlineMs = clock.nowMs + graceMs;
  }

  /** Ends what waits for the customer of a suspended or closing account. */
  function restrict(person: ModelPerson): void {
    for (const target of targets())
      if (target.customer === person && isOpen(target)) end(target, 'account_restricted');
  }

  const isPaidByBank = (person: ModelPerson): boolean =>
    ledger.payments.some((one) => one.payee === person && isSent(one));

  /** Something of an account is open, besides refunds that wait for money. */
  const isBusy = (person: ModelPerson): boolean =>
    disputes.holdsUp(person) ||
    targets().some((one) => one.customer === person && (isOpen(one) || isSent(one))) ||
    isPaidByBank(person);

  /** One step of a closing. */
  function closeFurther(person: ModelPerson): void {
    if (person.status !== 'closing' || person.heldBack || isBusy(person)) return;
    for (const refund of refunds.waitingOf(person)) {
      const loss = refunds.lossOf(refund);
      if (!loss && refunds.isFundable(refund)) return;
      refunds.fail(refund, loss ?? 'insufficient_funds');
    }
    person.retryMs = null;
    if (person.available > 0) withdrawals.payOut(person);
    else {
      Object.assign(person, { status: 'closed', closedMs: clock.nowMs });
      person.events.push('closed');
    }
  }

  /** Plays what follows at once, until nothing does. Jobs of the refund queue are decided before closings. */
  function settle(): void {
    const withNews = () => people.filter(({ isNews }) => isNews);
    for (let news = withNews(), round = 0; news.length > 0; news = withNews(), round += 1) {
      if (round > 100) throw new Error('the model does not come to rest');
      for (const person of news) person.isNews = false;
      for (const person of news) refunds.serve(person);
      for (const person of news) closeFurther(person);
    }
  }

  /** A prediction, and what follows it at once. */
  const settled =
    <Given extends unknown[]>(predict: (...given: Given) => string) =>
    (...given: Given): string => {
      const outcome = predict(...given);
      settle();
      return outcome;
    };
  const ifLive = (act: (target: ModelTarget) => string | undefined) =>
    settled((target: ModelTarget) =>
      target.session?.live === true ? (act(target) ?? 'done') : 'invalid_state',
    );

  function* due(): Due {
    yield* payments.due();
    yield* loads.due();
    yield* links.due();
    yield* disputes.due();
    yield* refunds.due();
    for (const target of targets()) {
      const { session, deadlineMs } = target;
      if (!isOpen(target) || !session) continue;
      if (session.live) yield [session.endsMs, () => endSession(target)];
      else yield [deadlineMs, () => end(target, 'confirmation_expired')];
    }
    yield* withdrawals.due();
    yield* terms.due();
  }

  return {
    ...ledger,
    targets,
    pay: settled(payments.create),
    cancel: settled(payments.cancel),
    ask: payments.ask,
    cancelRequest: settled(payments.cancelRequest),
    expireRequest: payments.expireRequest,
    withdraw: settled(withdrawals.create),
    load: settled(loads.create),
    refund: settled(refunds.create),
    dispute: settled(disputes.create),
    investigate: disputes.investigate,
    credit: settled(disputes.credit),
    determine: settled(disputes.determine),
    closeDispute: settled(disputes.finish),
    reopen: settled(disputes.reopen),
    classify: settled(disputes.classify),
    givePapers: (dispute: ModelDispute) => givePapers(dispute, clock.nowMs),
    acceptDelay,
    limitPayments: terms.limitPayments,
    link: links.create,
    verifyLink: settled(links.verify),
    holdLink: links.holdForReview,
    failLink: links.fail,
    removeLink: links.remove,
    releaseHold: settled(links.releaseHold),
    confirm: ifLive((target) => {
      const outcome = handlerOf(target).confirm(target);
      if (outcome === 'done' && target.session) target.session.live = false;
      return outcome;
    }),
    answer: settled((target: ModelTarget, pays: boolean) => {
      if (!isSent(target)) return 'invalid_state';
      handlerOf(target).answer(target, pays);
      return 'done';
    }),
    /** A transfer comes back before it was known to have settled: both at once. */
    bounce: settled((target: ModelTarget, credited: number) => {
      const { customer } = target;
      handlerOf(target).answer(target, true);
      customer.available += credited;
      customer.isNews = true;
      return 'done';
    }),
    /** Money in suspense is credited to whose it is. */
    creditFromSuspense: settled((person: ModelPerson, amount: number) => {
      person.available += amount;
      person.isNews = true;
      return 'done';
    }),
    decline: ifLive((target) => void end(target, 'confirmation_declined')),
    /** The customer leaves, or the session reaches its end. */
    leave: ifLive((target) => void endSession(target)),
    openSession(target: ModelTarget): string {
      if (!isOpen(target)) return 'invalid_state';
      Object.assign(target, { session: newSession(ledger), deadlineMs: null });
      return 'done';
    },
    suspend: settled((person: ModelPerson) => {
      if (person.status !== 'active') return 'invalid_state';
      Object.assign(person, { status: 'suspended', heldBack: true });
      person.events.push('suspended');
      restrict(person);
      return 'done';
    }),
    reactivate: settled((person: ModelPerson) => {
      if (!person.heldBack) return 'invalid_state';
      Object.assign(person, { heldBack: false, isNews: true });
      if (person.status === 'suspended') {
        person.status = 'active';
        person.events.push('reactivated');
      }
      return 'done';
    }),
    close: settled((person: ModelPerson) => {
      if (person.status !== 'active' && person.status !== 'suspended') return 'invalid_state';
      person.status = 'closing';
      person.events.push('closing');
      restrict(person);
      payments.cancelRequestsOf(person);
      person.isNews = true;
      return 'done';
    }),
    /** Simulated: a payout at the bank arrives, and the account closes when nothing else is open. */
    finishClosing: settled((person: ModelPerson) => {
      if (person.status !== 'closing' || person.heldBack) return 'invalid_state';
      const sent = targets().filter((one) => one.customer === person && isSent(one));
      const isPayout = (one: ModelTarget) => one.kind === 'withdrawal' && one.day === null;
      const cents = sent.reduce((sum, { amount }) => sum + amount, 0);
      if (person.available + person.pending + person.earmarked !== cents) return 'invalid_state';
      if (!sent.every(isPayout) || isPaidByBank(person)) return 'invalid_state';
      if (refunds.waitingOf(person).length > 0 || disputes.holdsUp(person)) return 'invalid_state';
      for (const payout of sent) handlerOf(payout).answer(payout, true);
      person.isNews = true;
      return 'done';
    }),
    publish(person: ModelPerson, documentType: string, isAccepted: boolean): string {
      if (!isAccepted) return 'invalid_state';
      person.waiting.set(documentType, clock.nowMs);
      return 'done';
    },
    accept(person: ModelPerson): string {
      if (person.status === 'closed') return 'account_restricted';
      person.waiting.clear();
      return 'done';
    },
    /** When time next changes anything. */
    nextDueMs: (): number => {
      let next = Infinity;
      for (const [atMs] of due()) if (atMs !== null && atMs < next) next = atMs;
      return next;
    },
    /** Runs what is due at this instant. */
    runDue(atMs: number): void {
      clock.nowMs = atMs;
      for (const [dueMs, run] of due()) if (dueMs !== null && dueMs <= atMs) run();
      settle();
    },
  };
}

export type Model = ReturnType<typeof openModel>;
