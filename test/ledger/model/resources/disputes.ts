import {
  endOfBusinessDays,
  nextMorning,
} from '../../../../service/resources/disputes/regulation_e.ts';
import {
  become,
  type Due,
  isUnresolved,
  type Ledger,
  type ModelDispute,
  type ModelPerson,
} from '../types.ts';
import {
  aheadMs,
  answerBefore,
  businessDaysOfReversal,
  creditDeadline,
  type Determination,
  deadlineOf,
  feeIn,
  instant,
  isCovered,
  isReasserted,
  type NewDispute,
  noticesBefore,
  otherKind,
  outcomes,
  remainingOf,
} from './dispute_rules.ts';

/** Notices, their earmarks and credits, and how they end. */
export function openDisputes(ledger: Ledger) {
  const { disputes, clock } = ledger;

  /** Money for the customer; once the account has closed it goes past the account. */
  function credit(dispute: ModelDispute, amount: number): void {
    const { customer, counted } = dispute;
    dispute.credited = amount;
    dispute.isPastAccount = customer.status === 'closed';
    if (!dispute.isPastAccount) customer.available += amount;
    customer.isNews = true;
    if (counted) counted.credited += amount;
  }

  /** A linked notice resolves and closes with the first. */
  function endWith(linked: ModelDispute, first: ModelDispute): void {
    if (isUnresolved(linked) && !isUnresolved(first))
      become(linked, 'resolved', { outcome: first.outcome, triageMs: null });
    if (linked.status === 'resolved' && first.status === 'closed') become(linked, 'closed');
  }
  const endLinked = (first: ModelDispute): void => {
    for (const linked of disputes) if (linked.linkedTo === first) endWith(linked, first);
  };

  function close(dispute: ModelDispute): void {
    const { customer, counted, credited, award } = dispute;
    const isClosed = customer.status === 'closed';
    const taken = isClosed ? 0 : Math.min(Math.max(credited - award, 0), customer.available);
    customer.available -= taken;
    if (counted) counted.credited -= taken;
    dispute.standing = credited - taken;
    // No award includes the payer's fees any more.
    if (counted?.awarded === 0) counted.disputedFee = null;
    become(dispute, 'closed', { reversalMs: null });
    customer.isNews = true;
  }

  function closeAll(dispute: ModelDispute): void {
    close(dispute);
    endLinked(dispute);
  }

  function resolve(dispute: ModelDispute, outcome: string, award: number): void {
    const { merchant, counted, customer, held, liable } = dispute;
    if (award > dispute.credited) credit(dispute, award);
    if (counted) counted.awarded += award;
    const recovered = liable === 'merchant' ? Math.min(held, award) : 0;
    if (merchant) {
      merchant.earmarked -= held;
      merchant.available += held - recovered;
      merchant.isNews = true;
    }
    const ended = { outcome, award, held: 0, triageMs: null, creditMs: null };
    become(dispute, 'resolved', ended);
    const excess = customer.status === 'closed' ? 0 : dispute.credited - award;
    if (excess > 0)
      dispute.reversalMs = Date.parse(
        endOfBusinessDays(instant(clock.nowMs), businessDaysOfReversal),
      );
    else close(dispute);
    endLinked(dispute);
  }

  /** Refunds cover what is disputed, and nothing of it was credited before. */
  function follow(dispute: ModelDispute): void {
    const { disputed, counted } = dispute;
    if (!isUnresolved(dispute) || !counted || remainingOf(dispute) !== 0) return;
    if (disputed !== 0 || counted.credited === 0) resolve(dispute, 'refunded_by_merchant', 0);
  }

  function giveCredit(dispute: ModelDispute, amount: number): void {
    credit(dispute, amount);
    become(dispute, 'provisional_credit', { provisional: amount, creditMs: null });
  }

  const investigate = (dispute: ModelDispute): void =>
    become(dispute, 'investigating', { triageMs: null });
  const earmark = (person: ModelPerson | null, cents: number): void => {
    if (person) person.available -= cents;
    if (person) person.earmarked += cents;
  };
  /** The payee never had the payer's fees. */
  const earmarkable = (person: ModelPerson, disputed: number | null, fee: number): number =>
    Math.min(Math.max((disputed ?? 0) - fee, 0), person.available);
  const nextMorningMs = (): number => Date.parse(nextMorning(instant(clock.nowMs)));

  /** 09:00 of the deadline day. */
  function runCredit(dispute: ModelDispute): void {
    const remaining = remainingOf(dispute) ?? 0;
    if (remaining === 0) return void Object.assign(dispute, { creditMs: nextMorningMs() });
    if (dispute.status === 'received') investigate(dispute);
    giveCredit(dispute, remaining);
  }

  function make(order: NewDispute): ModelDispute {
    const { customer, type, payment } = order;
    const before = disputes.filter(
      (one) => payment !== null && one.payment === payment && one.customer === customer,
    );
    const first = before.find(({ linkedTo, status }) => linkedTo === null && status !== 'closed');
    const isPayer = payment?.customer === customer;
    const hasMoved = payment !== null && payment.completedMs > 0;
    const standing = before.reduce((sum, one) => sum + one.standing, 0);
    const fee = isPayer ? feeIn(payment, type) : 0;
    const { answered, isNews } = answerBefore(order, before);
    const deadline = answered ? null : creditDeadline(ledger, order, isNews);
    const disputed =
      !first && hasMoved ? Math.max(payment.amount + fee - payment.refunded - standing, 0) : null;
    const merchant = !first && isPayer && hasMoved ? payment.payee : null;
    const held = merchant && !answered ? earmarkable(merchant, disputed, fee) : 0;
    return {
      id: '',
      events: ['created'],
      status: 'received',
      receivedMs: order.receivedMs,
      handledAs: type,
      answered,
      reopened: false,
      regulated: deadline !== null,
      isLate: isCovered(order) && !answered && deadline === null,
      papersMs: null,
      customer,
      payment,
      counted: isPayer && !first ? payment : null,
      merchant,
      linkedTo: first ?? null,
      liable: type === 'purchase_dispute' ? 'merchant' : 'platform',
      disputed,
      refundedBefore: payment?.refunded ?? 0,
      earmarked: held,
      held,
      credited: 0,
      isPastAccount: false,
      standing: 0,
      provisional: null,
      award: 0,
      outcome: null,
      triageMs: answered ? null : nextMorningMs(),
      creditMs: null,
      reversalMs: null,
    };
  }

  /** D with the fees of its kind, or without; what was credited stays. */
  function setFees(dispute: ModelDispute): void {
    const { counted, handledAs, refundedBefore, credited } = dispute;
    if (dispute.disputed === null || !counted || counted.completedMs === 0 || credited > 0) return;
    const fee = feeIn(counted, handledAs);
    if (fee > 0) counted.disputedFee = fee;
    else if (counted.awarded === 0) counted.disputedFee = null;
    const disputed = Math.max(counted.amount + fee - refundedBefore - counted.credited, 0);
    if (disputed === dispute.disputed) return;
    dispute.disputed = disputed;
    follow(dispute);
  }

  /** Everything as though the notice had come as this kind; what is investigated goes on. */
  function handleAs(dispute: ModelDispute, type: NewDispute['type']): void {
    const { customer, payment, receivedMs, status } = dispute;
    const order = { customer, payment, receivedMs, type };
    const before = noticesBefore(ledger, order, dispute);
    const isTimed = disputes.some((one) => one.linkedTo === dispute && one.regulated);
    const { answered, isNews } = answerBefore(order, before);
    const deadline = answered ? null : creditDeadline(ledger, order, isNews);
    Object.assign(dispute, {
      handledAs: type,
      liable: type === 'purchase_dispute' ? 'merchant' : 'platform',
      answered,
      reopened: dispute.reopened || (answered && (status !== 'received' || isTimed)),
      regulated: deadline !== null,
      isLate: isCovered(order) && !answered && deadline === null,
    });
    if (deadline !== null && dispute.provisional === null)
      dispute.creditMs = Math.min(dispute.creditMs ?? Infinity, deadline);
    else if (deadline === null && !isTimed) dispute.creditMs = null;
    if (status === 'received') dispute.triageMs = isReasserted(dispute) ? null : nextMorningMs();
    setFees(dispute);
    if (isUnresolved(dispute) && (dispute.creditMs ?? Infinity) <= clock.nowMs) runCredit(dispute);
  }

  return {
    create(given: NewDispute): string {
      if (given.receivedMs > clock.nowMs + aheadMs) return 'parameter_invalid';
      const order = { ...given, receivedMs: Math.min(given.receivedMs, clock.nowMs) };
      const { customer, payment: of } = order;
      if (of && of.customer !== customer && of.payee !== customer) return 'not_found';
      const dispute = make(order);
      const { merchant, counted, held, linkedTo } = dispute;
      disputes.push(dispute);
      earmark(merchant, held);
      const timed = linkedTo ?? dispute;
      const deadline = dispute.regulated ? deadlineOf(ledger, order, dispute) : null;
      if (deadline !== null && isUnresolved(timed) && isReasserted(timed)) {
        Object.assign(timed, { reopened: true, triageMs: nextMorningMs() });
        timed.events.push('updated');
      }
      if (deadline !== null && isUnresolved(timed) && timed.provisional === null)
        timed.creditMs = Math.min(timed.creditMs ?? Infinity, deadline);
      if (linkedTo) endWith(dispute, linkedTo);
      if (counted) counted.dispute = dispute;
      if (counted && order.type !== 'purchase_dispute' && counted.payerFees > 0)
        counted.disputedFee = counted.payerFees;
      if (dispute.disputed === 0) follow(dispute);
      return 'done';
    },
    investigate(dispute: ModelDispute): string {
      if (dispute.status !== 'received' || isReasserted(dispute)) return 'invalid_state';
      investigate(dispute);
      return 'done';
    },
    credit(dispute: ModelDispute): string {
      const remaining = remainingOf(dispute) ?? 0;
      if (dispute.status !== 'investigating' || dispute.linkedTo || remaining === 0)
        return 'invalid_state';
      giveCredit(dispute, remaining);
      return 'done';
    },
    determine(dispute: ModelDispute, how: Determination): string {
      const { linkedTo, counted } = dispute;
      if (!isUnresolved(dispute) || linkedTo || (counted?.refunding ?? 0) > 0)
        return 'invalid_state';
      const remaining = remainingOf(dispute);
      const awards = how === 'approved' || how === 'partial';
      if (awards && (remaining === null || isReasserted(dispute))) return 'invalid_state';
      const share = how === 'approved' ? 1 : 0.5;
      const award = awards ? Math.floor((remaining ?? 0) * share) : 0;
      resolve(dispute, outcomes[how], award);
      return 'done';
    },
    /** A reviewer has new evidence of what was answered before. */
    reopen(dispute: ModelDispute): string {
      const { merchant, counted, disputed, status, linkedTo } = dispute;
      if (status !== 'received' || linkedTo || !isReasserted(dispute)) return 'invalid_state';
      become(dispute, 'investigating', { reopened: true, triageMs: null });
      if (!merchant || dispute.earmarked > 0) return 'done';
      const held = earmarkable(merchant, disputed, counted?.payerFees ?? 0);
      earmark(merchant, held);
      Object.assign(dispute, { held, earmarked: held });
      return 'done';
    },
    /** Simulated: an unauthorized transfer; what is one already, a purchase dispute. */
    classify(dispute: ModelDispute): string {
      if (!isUnresolved(dispute) || dispute.linkedTo) return 'invalid_state';
      dispute.events.push('updated');
      handleAs(dispute, otherKind(dispute));
      return 'done';
    },
    /** The five business days are over. */
    finish(dispute: ModelDispute): string {
      if (dispute.status !== 'resolved' || dispute.linkedTo) return 'invalid_state';
      closeAll(dispute);
      return 'done';
    },
    follow,
    /** A closing account waits for its own until they are closed, for others' until they resolve. */
    holdsUp: (person: ModelPerson): boolean =>
      disputes.some(
        (one) =>
          (one.customer === person && one.status !== 'closed') ||
          (one.merchant === person && isUnresolved(one)),
      ),
    *due(): Due {
      for (const dispute of disputes) {
        yield [dispute.triageMs, () => investigate(dispute)];
        yield [dispute.creditMs, () => runCredit(dispute)];
        yield [dispute.reversalMs, () => closeAll(dispute)];
      }
    },
  };
}
