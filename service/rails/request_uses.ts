import type { paymentTypes } from '@tenant-payments/contract/core/fees.ts';
import {
  type RequestUse,
  type RequestUses,
  useOfPayment,
} from '@tenant-payments/contract/core/request_uses.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { BankInstruction } from './bank.ts';

/**
 * Holds a Request for Payment against what the Tenant's bank permits (rules/request-uses#3).
 * @param flow the setting that it belongs to
 * @throws ApiError flow_not_enabled, details.use_case
 */
export function assertPermitted(
  uses: RequestUses,
  use: RequestUse,
  flow: 'loads' | 'payments_bank',
): void {
  if (uses[use].networks.length === 0)
    throw fail('flow_not_enabled', {
      details: { flow, use_case: use },
      message: `the bank has not permitted requests for ${use}; the platform's admin records its permission in the settings`,
    });
}

interface Ordered extends Pick<BankInstruction, 'kind'> {
  /** Null: the order is of no payment. */
  readonly payment_type: (typeof paymentTypes)[number] | null;
  readonly invoice_reference: string | null;
}

/** The use that an order tells the bank, and by which networks. */
export function requestOf(
  { kind, payment_type, invoice_reference }: Ordered,
  { request_uses }: Settings,
): BankInstruction['request'] {
  if (kind !== 'request_for_payment') return null;
  const useCase =
    payment_type === null ? 'account_to_account' : useOfPayment(payment_type, invoice_reference);
  return { useCase, networks: request_uses[useCase].networks };
}
