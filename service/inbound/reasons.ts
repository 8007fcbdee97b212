import { failureCodes } from '@tenant-payments/contract/core/failure_codes.ts';
import {
  creditReasons,
  duplicateReasons,
  ourReasons,
  requestReasons,
  shortOfMoney,
  timeoutReasons,
} from '@tenant-payments/contract/core/network_reasons.ts';
import type { InstructionKind } from '../rails/bank.ts';
import { type InstructionRow, purposeOf } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';

/** Records whose money a bank moves. */
type BankLeg = 'load' | 'payment' | 'withdrawal' | 'refund';
export type BankFailure<L extends BankLeg = BankLeg> = (typeof failureCodes)[L]['bank'][number];

type Reasons = Readonly<Partial<Record<BankFailure, readonly string[]>>>;

/** Every bank failure with its reasons of the networks, by the kind of the order (rules/failure-codes#2). */
const reasonsOf: Readonly<Record<InstructionKind, Reasons>> = {
  request_for_payment: requestReasons,
  credit_transfer: creditReasons,
  internal_transfer: creditReasons,
};
const kindOf: Readonly<Record<BankLeg, InstructionKind>> = {
  load: 'request_for_payment',
  payment: 'request_for_payment',
  withdrawal: 'credit_transfer',
  refund: 'credit_transfer',
};

/** Our own names are no reasons of a network: they are not kept beside the failure. */
const isOwn = (reason: string): boolean => /[a-z]/.test(reason);

/** The networks' first reason for a failure, or the failure's name where they have none. */
export const reasonOf = (kind: InstructionKind, failure: BankFailure): string =>
  reasonsOf[kind][failure]?.[0] ?? failure;

export interface FailureReason<L extends BankLeg> {
  readonly failure: BankFailure<L>;
  /** The network's code, kept beside the failure; null when it has none. */
  readonly networkReason: string | null;
}

/**
 * The `failure_code` that a Tenant sees for a reason of the bank. An unknown reason gives `rejected_other` and is
 * kept as it came.
 * @param reason the network's code (`AC04`), or our own code where the network has none (`bank_unavailable`)
 */
export function failureOf<L extends BankLeg>(leg: L, reason: string): FailureReason<L> {
  const codes: readonly BankFailure<L>[] = failureCodes[leg].bank;
  const reasons = reasonsOf[kindOf[leg]];
  const known = codes.find((code) => code === reason || reasons[code]?.includes(reason));
  return {
    failure: known ?? 'rejected_other',
    networkReason: known !== undefined && isOwn(reason) ? null : reason,
  };
}

/** The order is known to have been sent before: this is no end of it. */
export const isDuplicate = (reason: string): boolean => duplicateReasons.includes(reason);

/** The network does not know how it ended: it may have moved the money. */
export const isTimeout = (reason: string): boolean => timeoutReasons.includes(reason);

/** The reason of an order that the bank has cancelled: the network's reason, where it says one. */
export const cancelledFor = ({ reason }: { readonly reason?: string }): string =>
  reason ?? ('order_rejected' satisfies BankFailure);

/** The alarm about a failed order that a person must look into, besides its record (rules/failure-codes#13). */
export type ReasonAlarm = 'fbo_short' | 'bank_refusal' | 'bank_reason' | 'own_order';

type Ordered = Pick<InstructionRow, 'kind' | 'purpose' | 'source_type'>;

/** @returns null where the reason is about the customer, or about the network */
export function alarmOf(order: Ordered, reason: string): ReasonAlarm | null {
  const { kind } = order;
  const leg = kind === 'request_for_payment' ? 'request' : 'credit';
  const { from } = accountsOfOrder(kind, purposeOf(order));
  if (from === 'fbo' && reason === shortOfMoney) return 'fbo_short';
  if (order.source_type === 'adjustment') return 'own_order';
  if (ourReasons[leg].includes(reason)) return 'bank_refusal';
  const isKnown =
    Object.hasOwn(reasonsOf[kind], reason) ||
    isDuplicate(reason) ||
    Object.values(reasonsOf[kind]).some((codes) => codes.includes(reason));
  return isKnown ? null : 'bank_reason';
}
