import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { changeContact } from '../../resources/customers/contact.ts';
import { passkeys, removePasskeys } from '../../resources/customers/credentials/passkeys.ts';
import { unlockPin } from '../../resources/customers/credentials/pin_lock.ts';
import { pins } from '../../resources/customers/credentials/pins.ts';
import { acceptPending } from '../../resources/customers/documents/moves.ts';
import { documents } from '../../resources/customers/documents/table.ts';
import { loadOnboarding, submitOnboarding } from '../../resources/customers/onboarding.ts';
import { customers } from '../../resources/customers/table.ts';
import { sampleSubmission } from '../sample/submission.ts';

/** How a simulated customer ends a flow that confirms no record. */
export interface FlowEnd {
  /** Makes the flow's changes. @returns the verification's status then */
  readonly finish: (work: Work, answer: { pinHash: string; declined: boolean }) => string;
}

const changedEmail = 'changed@example.com';

async function onboarding(read: Read, customerId: string): Promise<FlowEnd> {
  const rows = await loadOnboarding(read, customerId);
  return {
    finish: (work, { pinHash }) => {
      const first = rows.pin ? {} : { pinHash };
      submitOnboarding(work, rows, { ...sampleSubmission(rows.customer), ...first });
      return rows.customer.status;
    },
  };
}

async function contactChange(read: Read, customerId: string): Promise<FlowEnd> {
  const customer = await read.one(customers, customerId);
  return {
    finish: (work) => {
      changeContact(work, customer, { email: changedEmail });
      return customer.status;
    },
  };
}

/** Unlocks and removes the passkeys; the PIN is kept. */
async function pinReset(read: Read, customerId: string): Promise<FlowEnd> {
  const [customer, pin, keys] = await Promise.all([
    read.one(customers, customerId),
    read.one(pins, customerId),
    read.set(passkeys, 'customer_id', customerId),
  ]);
  return {
    finish: (work) => {
      unlockPin(work, customer, pin);
      removePasskeys(work, customer, keys);
      return customer.status;
    },
  };
}

/** Declining leaves what waits as it is. */
async function termsAcceptance(read: Read, customerId: string): Promise<FlowEnd> {
  const [customer, rows] = await Promise.all([
    read.one(customers, customerId),
    read.set(documents, 'customer_id', customerId),
  ]);
  return {
    finish: (work, { declined }) => {
      if (!declined) acceptPending(work, customer, rows, { read: null, locale: null });
      return customer.status;
    },
  };
}

/** The effect of `session.completed`, by flow (rules/sandbox#9). */
export const customerFlows: Readonly<
  Record<Exclude<Flow, 'payment_confirm'>, (read: Read, customerId: string) => Promise<FlowEnd>>
> = {
  onboarding,
  contact_change: contactChange,
  pin_reset: pinReset,
  terms_acceptance: termsAcceptance,
};
