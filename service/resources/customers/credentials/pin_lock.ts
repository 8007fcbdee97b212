import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import type { Work } from '../../../core/work.ts';
import { type CustomerRow, customers } from '../table.ts';
import { freshPin, maximumPinAttempts, maximumResetFailures, type PinRow, pins } from './pins.ts';

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
  work.change(pin, freshPin(hash, pin.generation + 1));
}

/**
 * The reviewer opens the PIN reset of a customer for whom it had closed (rules/hosted#35).
 * @throws ApiError invalid_state {reason: reset_open, no_pin}
 */
export const allowPinReset = command('allow_pin_reset', {
  load: async (read, { id }: { readonly id: string }) => {
    const [customer, pin] = await Promise.all([read.one(customers, id), read.maybe(pins, id)]);
    return { customer, pin };
  },
  decide: (work, { customer, pin }) => {
    if (!pin || pin.reset_failures < maximumResetFailures)
      throw fail('invalid_state', {
        details: {
          current_status: customer.status,
          allowed: [],
          reason: pin ? 'reset_open' : 'no_pin',
        },
      });
    work.change(pin, { reset_failures: 0 });
    return { record: customer };
  },
});
