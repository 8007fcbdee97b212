import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import type { Work } from '../../../core/work.ts';
import { type CustomerRow, customers } from '../table.ts';
import { freshPin, maximumPinAttempts, type PinRow, pins } from './pins.ts';

/**
 * Locks the PIN as five wrong tries do (simulate).
 * @throws ApiError invalid_state without a PIN, or locked
 */
export const lockPin = command('lock_pin', {
  load: async (read, { id }: { readonly id: string }) => {
    const [customer, pin] = await Promise.all([read.one(customers, id), read.maybe(pins, id)]);
    return { customer, pin };
  },
  decide: (work, { customer, pin }) => {
    if (!pin || customer.pin_locked)
      throw fail('invalid_state', {
        details: {
          current_status: customer.status,
          allowed: [],
          reason: pin ? 'pin_locked' : 'no_pin',
        },
      });
    work.change(pin, { attempts: maximumPinAttempts, failures: maximumPinAttempts });
    work.change(customer, { pin_locked: true });
    return { record: customer };
  },
});

/**
 * Unlocks by the flow pin_reset only; the count starts again.
 * @param hash of the new PIN, by `hashPin`
 */
export function unlockPin(work: Work, customer: CustomerRow, pin: PinRow, hash = pin.hash): void {
  work.change(customer, { pin_locked: false });
  work.change(pin, freshPin(hash));
}
