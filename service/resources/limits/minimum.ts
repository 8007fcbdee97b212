import { amounts } from '@tenant-payments/contract/core/numbers.ts';
import { fail } from '@tenant-payments/engine/fail.ts';

/** The smallest load or withdrawal, in cents (rules/limits#3). */
const minimumCents = amounts.minimumTransfer;

/** @throws ApiError parameter_invalid, param `amount`, {reason: below_minimum, minimum} */
export function assertMinimum(amountCents: number): void {
  if (amountCents < minimumCents)
    throw fail('parameter_invalid', {
      param: 'amount',
      details: { reason: 'below_minimum', minimum: minimumCents },
    });
}
