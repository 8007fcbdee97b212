import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { tellCustomer } from '../messages/tell.ts';
import { type CustomerRow, customers } from '../table.ts';
import { freshPin, maximumPinAttempts, maximumResetFailures, type PinRow, pins } from './pins.ts';

/** Sets `pin_locked` and tells the customer; does nothing if the PIN is locked already. */
export function setPinLocked(work: Work, customer: CustomerRow): void {
  if (customer.pin_locked) return;
  work.change(customer, { pin_locked: true });
  tellCustomer(work, customer, 'pin_locked');
}

/**
 * Locks the PIN as five wrong tries do, for simulate.
 * @throws ApiError invalid_state {reason: no_pin, pin_locked}
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
    setPinLocked(work, customer);
    return { record: customer };
  },
});

/**
 * Unlocks the PIN, tells the customer and counts wrong tries from 0. Only the flow pin_reset and simulate call it.
 * @param hash of the new PIN, by `hashPin`; absent (simulate): the PIN stays
 * @throws ApiError invalid_state {reason: no_pin} once the account has closed
 */
export function unlockPin(work: Work, customer: CustomerRow, pin: PinRow, hash?: string): void {
  if (pin.hash === '')
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: [], reason: 'no_pin' },
    });
  work.change(customer, { pin_locked: false });
  work.change(pin, {
    ...freshPin(hash ?? pin.hash, pin.generation + 1),
    is_sample: hash === undefined && pin.is_sample,
  });
  tellCustomer(work, customer, 'pin_changed');
}

/**
 * A reviewer lets a customer reset the PIN again after too many failed resets (rules/hosted#35).
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
