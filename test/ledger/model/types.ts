import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import type { Person } from '../customers.ts';

/**
 * What the service should do with the money of a tenant, written down a second time from contract
 * and decisions (1.1, 1.8, 1.9, 1.10) and in nothing like the service's own way. Amounts in cents,
 * times in epoch milliseconds. A prediction is the code of the refusal, or `done`.
 */
export interface ModelPerson extends Person {
  /** What was told of the account, without its kind. */
  readonly events: string[];
  readonly openedMs: number;
  closedMs: number | null;
  readonly links: ModelLink[];
  available: number;
  pending: number;
  earmarked: number;
  status: 'active' | 'suspended' | 'closing' | 'closed';
  /** A reviewer's reason; it outlives the suspension while the account is closing. */
  heldBack: boolean;
  /** What was used of the daily limits, by `limitKey`. */
  readonly used: Map<string, number>;
  /** Since when a new version of each document waits to be accepted. */
  readonly waiting: Map<string, number>;
  /** Money has come, or something has ended: waiting refunds and a closing look again. */
  isNews: boolean;
  /** When the rejected payout of a closing account is tried again. */
  retryMs: number | null;
}

/** Something with versions: what was told of it, without its kind, is one event for each. */
export interface Told {
  id: string;
  status: string;
  readonly events: string[];
}

/** A status move, and what is told of it. */
export function become<R extends Told>(record: R, status: R['status'], rest?: Partial<R>): void {
  Object.assign(record, rest, { status });
  record.events.push(status);
}

export interface ModelLink extends Told {
  readonly customer: ModelPerson;
  status: 'pending' | 'held_for_review' | 'verified' | 'failed' | 'removed';
  readonly offers: { readonly withdrawal: boolean; readonly load: boolean };
  wasVerified: boolean;
  holdUntilMs: number | null;
}

interface ModelSession {
  id: string;
  live: boolean;
  readonly endsMs: number;
}

/** What waits for its customer's confirmation, and what becomes of it. */
interface ModelRecord extends Told {
  readonly kind: TargetType;
  /** Who confirms. */
  readonly customer: ModelPerson;
  readonly amount: number;
  /** Null: a payout, which nobody confirms. */
  session: ModelSession | null;
  deadlineMs: number | null;
  /** Sums that came of it and stand in suspense. */
  readonly oddMoney: Set<number>;
  failureCode: string | null;
}

export interface ModelRequest extends Told {
  qrPayload: string;
  readonly merchant: ModelPerson;
  readonly amount: number | null;
  readonly expiresMs: number | null;
  status: 'open' | 'paid' | 'expired' | 'canceled';
  claimedBy: ModelPayment | null;
}

export interface ModelPayment extends ModelRecord {
  readonly kind: 'payment';
  readonly source: 'balance' | 'bank_account';
  readonly payee: ModelPerson;
  readonly payerFees: number;
  readonly payeeFees: number;
  readonly request: ModelRequest | null;
  /** The bank account that is asked, of a payment by bank. */
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
  /** When the bank has been silent for too long. */
  timeoutMs: number | null;
  completedMs: number;
  refunded: number;
  openRefunds: number;
  /** What a bank is paying back; credits of disputes that stand; awards of those that ended. */
  refunding: number;
  credited: number;
  awarded: number;
  /** The latest notice of its payer that stands for itself. */
  dispute: ModelDispute | null;
}

export interface ModelLoad extends ModelRecord {
  readonly kind: 'load';
  readonly link: ModelLink;
  readonly day: string;
  readonly block: string;
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
  timeoutMs: number | null;
}

export interface ModelWithdrawal extends ModelRecord {
  readonly kind: 'withdrawal';
  readonly link: ModelLink;
  /** Null: a payout, which is not counted. */
  readonly day: string | null;
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
}

export interface ModelRefund extends ModelRecord {
  readonly kind: 'refund';
  readonly payment: ModelPayment;
  /** The bank account that is paid; null: a balance. */
  readonly link: ModelLink | null;
  status: 'requested' | 'pending_funds' | 'processing' | 'completed' | 'failed';
  held: number;
  /** What of it came from a dispute's earmark. */
  earmark: { readonly dispute: ModelDispute; readonly cents: number } | null;
  waitingMs: number | null;
}

export interface ModelDispute extends Told {
  readonly customer: ModelPerson;
  readonly payment: ModelPayment | null;
  /** The payment, where its payer disputes it and no other notice stands. */
  readonly counted: ModelPayment | null;
  readonly merchant: ModelPerson | null;
  readonly linkedTo: ModelDispute | null;
  readonly liable: 'merchant' | 'platform';
  status: 'received' | 'investigating' | 'provisional_credit' | 'resolved' | 'closed';
  /** D; null: nobody knows. */
  readonly disputed: number | null;
  readonly refundedBefore: number;
  held: number;
  credited: number;
  /** The credit went to a bank, or to nobody: the account had closed. */
  isPastAccount: boolean;
  /** What of the credit has not been taken back. */
  standing: number;
  provisional: number | null;
  award: number;
  outcome: string | null;
  triageMs: number | null;
  creditMs: number | null;
  reversalMs: number | null;
}

export type ModelTarget = ModelPayment | ModelLoad | ModelWithdrawal | ModelRefund;

/** Everything of one tenant. */
export interface Book {
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

const sessionMs = 900_000;
export const dayMs = 86_400_000;

export const newSession = (nowMs: number): ModelSession => ({
  id: '',
  live: true,
  endsMs: nowMs + sessionMs,
});

/** It waits for its customer. */
export const isOpen = ({ status }: ModelTarget): boolean =>
  status === 'requires_confirmation' || status === 'requested';

/** The bank has it. */
export const isSent = ({ status }: ModelTarget): boolean => status === 'processing';

const easternDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
export const dayOf = (nowMs: number): string => easternDay.format(nowMs);

type Limited = 'payment' | 'withdrawal' | 'load';
export const limitKey = (what: Limited | 'load_30_day' | 'open_loads', day: string) =>
  `${what} ${day}`;

/** Whether an amount fits the customer's limits of the day. */
export function fitsLimits(
  { settings }: Book,
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

/** Of a customer's bank accounts one at most is in use. */
export const activeLink = ({ links }: ModelPerson): ModelLink | null =>
  links.find(({ status }) => ['pending', 'held_for_review', 'verified'].includes(status)) ?? null;

/** The one that money may be asked of or sent to. */
export function workingLink(person: ModelPerson, offer: keyof ModelLink['offers']) {
  const link = activeLink(person);
  return link?.status === 'verified' && link.offers[offer] ? link : null;
}

export const isUnresolved = ({ status }: ModelDispute): boolean =>
  status !== 'resolved' && status !== 'closed';
