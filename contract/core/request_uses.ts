import Type, { type Static } from 'typebox';
import type { paymentTypes } from './fees.ts';
import { Closed, Nullable, OneOf, Readable } from './schema.ts';

/** Networks that carry a Request for Payment. */
export const requestNetworks = ['rtp', 'fednow'] as const;
export type RequestNetwork = (typeof requestNetworks)[number];

/** Uses of a Request for Payment that networks tell apart: a bank permits each by itself (rules/request-uses#1). */
export const requestUses = [
  /** Between two accounts of one person. */
  'account_to_account',
  /** A consumer pays a bill. */
  'consumer_bill',
  /** A business pays a business. */
  'business',
  /** A consumer pays for what is sold now. */
  'purchase',
] as const;
export type RequestUse = (typeof requestUses)[number];

const Permission = Closed({
  networks: Type.Array(OneOf(requestNetworks), {
    uniqueItems: true,
    maxItems: requestNetworks.length,
    description: 'Networks by which the bank permits it; empty: it does not',
  }),
  agreement: Nullable(
    Readable(200, "The bank's letter or agreement that permits it; null: it is not permitted"),
  ),
});

/** The uses that a Tenant's bank permits. */
export const RequestUses = Closed({
  account_to_account: Permission,
  consumer_bill: Permission,
  business: Permission,
  purchase: Permission,
});
export type RequestUses = Static<typeof RequestUses>;

const notPermitted = { networks: [], agreement: null };
const permitted = (agreement: string) => ({ networks: [...requestNetworks], agreement });
const unrecorded = permitted('not recorded');

/** A sandbox asks no bank; a Tenant from before has recorded nothing. */
export const everyUse: RequestUses = {
  account_to_account: unrecorded,
  consumer_bill: unrecorded,
  business: unrecorded,
  purchase: unrecorded,
};

/** A new Tenant of production: loads alone, until the bank's permission is recorded. */
export const firstUses: RequestUses = {
  account_to_account: permitted("loads from the customer's own account"),
  consumer_bill: notPermitted,
  business: notPermitted,
  purchase: notPermitted,
};

/** The use of a payment by bank: one with an invoice pays what is owed. */
export function useOfPayment(
  type: (typeof paymentTypes)[number],
  invoice: string | null | undefined,
): RequestUse {
  if (type === 'merchant_to_merchant') return 'business';
  return invoice ? 'consumer_bill' : 'purchase';
}
