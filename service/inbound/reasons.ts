import {
  bankReasons,
  creditReasons,
  failureCodes,
  requestReasons,
} from '@tenant-payments/contract/core/failure_codes.ts';

/** Records whose money a bank moves. */
type BankLeg = 'load' | 'payment' | 'withdrawal' | 'refund';
export type BankFailure<L extends BankLeg = BankLeg> = (typeof failureCodes)[L]['bank'][number];

/** Every bank failure with its ISO 20022 and RTP reasons (rules/failure-codes#2). */
const reasons: Readonly<Record<BankFailure, readonly string[]>> = {
  ...bankReasons,
  ...requestReasons,
  ...creditReasons,
};

/** The network's first reason for a failure, or the failure's name where it has none. */
export const reasonOf = (failure: BankFailure): string => reasons[failure][0] ?? failure;

export interface FailureReason<L extends BankLeg> {
  readonly failure: BankFailure<L>;
  /** The network's code, kept beside the failure; null when it has none. */
  readonly networkReason: string | null;
}

/**
 * The `failure_code` that a Tenant sees for a reason of the bank. An unknown reason, or one that does
 * not belong to this kind of record, gives `rejected_other` and is kept as it came.
 * @param reason the network's code (`AC04`), or our own code where the network has none
 *   (`bank_unavailable`)
 */
export function failureOf<L extends BankLeg>(leg: L, reason: string): FailureReason<L> {
  const codes: readonly BankFailure<L>[] = failureCodes[leg].bank;
  const isOwn = (code: BankFailure<L>) => reasons[code].length === 0 && code === reason;
  const known = codes.find((code) => reasons[code].includes(reason) || isOwn(code));
  return {
    failure: known ?? 'rejected_other',
    networkReason: known !== undefined && isOwn(known) ? null : reason,
  };
}
