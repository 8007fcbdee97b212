import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import type { Person } from './customers.ts';

/**
 * What the service should do with the money of a tenant, written down a second time from contract
 * and decisions (1.1, 1.8, 1.9, 1.10) and in nothing like the service's own way. Amounts in cents,
 * times in epoch milliseconds. A prediction is the code of the refusal, or `done`.
 */
export interface ModelPerson extends Person {
  available: number;
  pending: number;
  earmarked: number;
  status: 'active' | 'suspended' | 'closing' | 'closed';
  /** A reviewer's reason; it outlives the suspension while the account is closing. */
  heldBack: boolean;
  /** What was used of the daily limits, by `limitKey`. */
  readonly used: Map<string, number>;
  /** Money has come, or something has ended: waiting refunds and a closing look again. */
  isNews: boolean;
  /** When the rejected payout of a closing account is tried again. */
  retryMs: number | null;
}

interface ModelSession {
  id: string;
  live: boolean;
  readonly endsMs: number;
}

/** What waits for its customer's confirmation, and what becomes of it. */
interface ModelRecord {
  readonly kind: TargetType;
  id: string;
  /** Who confirms. */
  readonly customer: ModelPerson;
  readonly amount: number;
  /** Null: a payout, which nobody confirms. */
  session: ModelSession | null;
  deadlineMs: number | null;
  status: string;
  failureCode: string | null;
}

export interface ModelRequest {
  id: string;
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
}

export interface ModelWithdrawal extends ModelRecord {
  readonly kind: 'withdrawal';
  /** Null: a payout, which is not counted. */
  readonly day: string | null;
  status: 'requires_confirmation' | 'processing' | 'settled' | 'failed';
}

export interface ModelRefund extends ModelRecord {
  readonly kind: 'refund';
  readonly payment: ModelPayment;
  readonly destination: 'balance' | 'bank_account';
  status: 'requested' | 'pending_funds' | 'processing' | 'completed' | 'failed';
  held: number;
  waitingMs: number | null;
}

export type ModelTarget = ModelPayment | ModelWithdrawal | ModelRefund;

/** Everything of one tenant. */
export interface Book {
  readonly settings: Settings;
  readonly people: ModelPerson[];
  readonly payments: ModelPayment[];
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

type Limited = 'payment' | 'withdrawal';
const limitKey = (what: Limited, day: string) => `${what} ${day}`;

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
export function count(what: Limited, { used }: ModelPerson, day: string, amount: number): void {
  const key = limitKey(what, day);
  used.set(key, (used.get(key) ?? 0) + amount);
}
