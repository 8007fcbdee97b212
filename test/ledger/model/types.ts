import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import type { Person } from '../customers.ts';

/**
 * The model of a tenant's money, written a second time from the rules and in another way than the service's. Amounts in
 * cents, times in epoch milliseconds. A prediction is the code of the refusal, or `done`.
 */
export interface ModelPerson extends Person {
  /** Types of the account's events, without its kind. */
  readonly events: string[];
  readonly openedMs: number;
  closedMs: number | null;
  readonly links: ModelLink[];
  available: number;
  pending: number;
  earmarked: number;
  status: 'active' | 'suspended' | 'closing' | 'closed';
  /** A reviewer's suspension; it stays while the account is closing. */
  heldBack: boolean;
  /** Used of the limits, by `limitKey`. */
  readonly used: Map<string, number>;
  /** The time from which a new version of each document waits to be accepted. */
  readonly waiting: Map<string, number>;
  /** Money has come, or something has ended: waiting refunds and a closing are checked again. */
  isNews: boolean;
  /** When the rejected payout of a closing account is tried again. */
  retryMs: number | null;
}

/** A record with versions; each has one event, whose type is listed without its kind. */
export interface ModelRecord {
  id: string;
  status: string;
  readonly events: string[];
}

/** Changes the status, with an event of that name. */
export function become<R extends ModelRecord>(
  record: R,
  status: R['status'],
  rest?: Partial<R>,
): void {
  Object.assign(record, rest, { status });
  record.events.push(status);
}

export interface ModelLink extends ModelRecord {
  readonly customer: ModelPerson;
  status: 'pending' | 'held_for_review' | 'verified' | 'failed' | 'removed';
  readonly offers: { readonly withdrawal: boolean; readonly load: boolean };
  wasVerified: boolean;
  holdUntilMs: number | null;
}

/** A record that waits for its customer's confirmation, and what becomes of it. */
interface Target extends ModelRecord {
  readonly kind: TargetType;
  /** The customer who confirms. */
  readonly customer: ModelPerson;
  readonly amount: number;
  /** Null: a payout, which needs no confirmation. */
  session: { id: string; live: boolean; readonly endsMs: number } | null;
  /** The end of the grace after its session. */
  deadlineMs: number | null;
  /** When the bank has not answered for too long. */
  timeoutMs: number | null;
  /** Sums that came for it and are in suspense. */
  readonly unmatched: Set<number>;
  /** Sums of the payments that came for it and had an id of the bank. */
  readonly payments: number[];
  failureCode: string | null;
}

export interface ModelRequest extends ModelRecord {
  qrPayload: string;
  readonly merchant: ModelPerson;
  /** Null: a static request. */
  readonly amount: number | null;
  readonly expiresMs: number | null;
  status: 'open' | 'paid' | 'expired' | 'canceled';
  claimedBy: ModelPayment | null;
}

export interface ModelPayment extends Target {
  readonly kind: 'payment';
  readonly source: 'balance' | 'bank_account';
  readonly payee: ModelPerson;
  readonly payerFees: number;
  readonly payeeFees: number;
  readonly request: ModelRequest | null;
  /** The bank account of a payment by bank. */
  readonly link: ModelLink | null;
  readonly day: string;
  status:
    | 'requires_confirmation'
    | 'processing'
    | 'completed'
    | 'failed'
    | 'canceled'
    | 'partially_refunded'
    | 'refunded';
  completedMs: number;
  refunded: number;
  openRefunds: number;
  /** Refunds at a bank; credits of disputes that stand; awards of those that ended. */
  refunding: number;
  credited: number;
  awarded: number;
  /** The payer's fees, once an error or unauthorized transfer is noticed; null: not yet. */
  disputedFee: number | null;
  /** The latest notice of its payer that is not linked to another. */
  dispute: ModelDispute | null;
}

export interface ModelLoad extends Target {
  readonly kind: 'load';
  readonly link: ModelLink;
  readonly day: string;
  readonly block: string;
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
}

export interface ModelWithdrawal extends Target {
  readonly kind: 'withdrawal';
  readonly link: ModelLink;
  /** Null: a payout, which no limit counts. */
  readonly day: string | null;
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
}

export interface ModelRefund extends Target {
  readonly kind: 'refund';
  readonly payment: ModelPayment;
  /** The bank account that is paid; null: a balance. */
  readonly link: ModelLink | null;
  status: 'requested' | 'pending_funds' | 'processing' | 'completed' | 'failed';
  held: number;
  /** The part of it that came from a dispute's earmark. */
  earmark: { readonly dispute: ModelDispute; readonly cents: number } | null;
  waitingMs: number | null;
}

export interface ModelDispute extends ModelRecord {
  readonly receivedMs: number;
  /** The kind it is handled as. */
  readonly handledAs: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  /** The same was answered before; a reviewer, or a notice that is linked to it, opens it again. */
  readonly answered: boolean;
  readonly reopened: boolean;
  /** Whether it came too late for the clocks of Regulation E. */
  readonly isLate: boolean;
  /** When the customer was last given the documents of its answer. */
  papersMs: number | null;
  /** Whether it has deadlines of its own. */
  readonly regulated: boolean;
  readonly customer: ModelPerson;
  readonly payment: ModelPayment | null;
  /** The payment, where its payer disputes it and no other notice stands. */
  readonly counted: ModelPayment | null;
  readonly merchant: ModelPerson | null;
  readonly linkedTo: ModelDispute | null;
  readonly liable: 'merchant' | 'platform';
  status: 'received' | 'investigating' | 'provisional_credit' | 'resolved' | 'closed';
  /** The disputed amount; null: unknown. */
  disputed: number | null;
  readonly refundedBefore: number;
  /** Set aside in all, and what of it is still there. */
  earmarked: number;
  held: number;
  credited: number;
  /** The account had closed: the credit went to a bank or could not be paid. */
  isPastAccount: boolean;
  /** The part of the credit that has not been reversed. */
  standing: number;
  provisional: number | null;
  award: number;
  outcome: string | null;
  triageMs: number | null;
  creditMs: number | null;
  reversalMs: number | null;
}

export type ModelTarget = ModelPayment | ModelLoad | ModelWithdrawal | ModelRefund;

/** Whether a record waits for its customer, or did. */
export const isTarget = (record: ModelRecord): record is ModelTarget => 'kind' in record;

/** The records of one tenant. */
export interface Ledger {
  readonly settings: Settings;
  /** Whether months and days end with statements and reports. */
  readonly calendar: boolean;
  readonly people: ModelPerson[];
  /** The tenant's clock. */
  readonly clock: { nowMs: number };
  readonly payments: ModelPayment[];
  readonly loads: ModelLoad[];
  readonly disputes: ModelDispute[];
  readonly withdrawals: ModelWithdrawal[];
  readonly refunds: ModelRefund[];
  readonly requests: ModelRequest[];
}

/** When something happens by itself, and what. */
export type Due = Iterable<readonly [atMs: number | null, run: () => void]>;

const sessionMs = 900_000;
export const dayMs = 86_400_000;

export const newSession = ({ clock }: Ledger): NonNullable<Target['session']> => ({
  id: '',
  live: true,
  endsMs: clock.nowMs + sessionMs,
});

/** The fields that every target begins with. */
export const newTarget = () => ({
  id: '',
  deadlineMs: null,
  timeoutMs: null,
  unmatched: new Set<number>(),
  payments: [],
  failureCode: null,
});

/** Whether it waits for its customer. */
export const isOpen = ({ status }: ModelTarget): boolean =>
  status === 'requires_confirmation' || status === 'requested';

/** Whether it is at the bank. */
export const isSent = ({ status }: ModelTarget): boolean => status === 'processing';

/** Ends a target without money; its session ends with it. */
export function endTarget<T extends ModelTarget>(
  target: T,
  status: T['status'],
  failureCode: string | null,
): void {
  become<ModelRecord>(target, status);
  Object.assign(target, { failureCode, deadlineMs: null, timeoutMs: null });
  if (target.session) target.session.live = false;
}

const easternDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
export const dayOf = (ms: number): string => easternDay.format(ms);

type Limited = 'payment' | 'withdrawal' | 'load';
export const limitKey = (what: Limited | 'load_30_day' | 'open_loads', day: string) =>
  `${what} ${day}`;

/** Whether an amount fits the customer's limits of the day. */
export function fitsLimits(
  { settings }: Ledger,
  what: Limited,
  { type, used }: ModelPerson,
  amount: number,
  day: string,
): boolean {
  const maximum = settings.limits[`${what}_per_transaction`][type] ?? Infinity;
  const daily = settings.limits[`${what}_daily`][type] ?? Infinity;
  return amount <= maximum && (used.get(limitKey(what, day)) ?? 0) + amount <= daily;
}

/** Counts an amount against the limit of its day, or gives it back with a negative one. */
export function count(
  what: Parameters<typeof limitKey>[0],
  { used }: ModelPerson,
  day: string,
  amount: number,
): void {
  const key = limitKey(what, day);
  used.set(key, (used.get(key) ?? 0) + amount);
}

/** A customer uses one bank account at most. */
export const activeLink = ({ links }: ModelPerson): ModelLink | null =>
  links.find(({ status }) => ['pending', 'held_for_review', 'verified'].includes(status)) ?? null;

/** The bank account that can be used for this. */
export function workingLink(person: ModelPerson, offer: keyof ModelLink['offers']) {
  const link = activeLink(person);
  return link?.status === 'verified' && link.offers[offer] ? link : null;
}

export const isUnresolved = ({ status }: ModelDispute): boolean =>
  status !== 'resolved' && status !== 'closed';

/** How long a new version of a document may wait (rules/customers). */
const termsWaitMs = 30 * dayMs;

/** When the oldest document that waits has waited too long; null: none waits. */
export const termsMsOf = ({ waiting }: ModelPerson): number | null =>
  waiting.size === 0 ? null : Math.min(...waiting.values()) + termsWaitMs;

/** A customer who has not accepted in time moves no more money. */
export const isHeldUp = (person: ModelPerson, { clock }: Ledger): boolean =>
  (termsMsOf(person) ?? Infinity) <= clock.nowMs;
