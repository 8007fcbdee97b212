import { type BankFailure, reasonOf } from '../../inbound/reasons.ts';
import type { InstructionKind, OrderPurpose } from '../../rails/bank.ts';
import type { BankOutcome, IdentityDecision } from '../../rails/facts.ts';
import type { OwnerRow } from '../../resources/customers/owners/table.ts';
import type { CustomerRow } from '../../resources/customers/table.ts';

/** How an order fails at the sandbox's bank; null: it never answers. */
type OfCustomer = Exclude<InstructionKind, 'internal_transfer'>;
interface CentsRow {
  readonly request_for_payment: BankFailure<'load' | 'payment'> | null;
  readonly credit_transfer: BankFailure<'withdrawal' | 'refund'> | null;
}

/** By the last two digits of the amount; any other settles (rules/sandbox#19). */
const cents: Readonly<Record<number, CentsRow & Readonly<Record<OfCustomer, unknown>>>> = {
  61: { request_for_payment: 'customer_refused', credit_transfer: 'account_closed' },
  62: { request_for_payment: 'insufficient_funds_at_bank', credit_transfer: 'account_blocked' },
  63: { request_for_payment: 'account_closed', credit_transfer: 'invalid_account_number' },
  64: { request_for_payment: 'account_blocked', credit_transfer: 'bank_timeout' },
  65: { request_for_payment: 'invalid_account_number', credit_transfer: 'bank_unavailable' },
  66: { request_for_payment: 'bank_timeout', credit_transfer: 'transaction_not_supported' },
  67: { request_for_payment: 'request_expired', credit_transfer: 'amount_exceeds_bank_limit' },
  68: { request_for_payment: null, credit_transfer: null },
};

/** The same as a list. */
export const magicAmounts = Object.entries(cents).map(([digits, row]) => ({
  cents: Number(digits),
  requested: row.request_for_payment,
  sent: row.credit_transfer,
}));

/**
 * The bank's answer to an order, in the network's words.
 * @param amount in cents
 * @returns null when there is no answer: simulate, or the expiry of a request, ends it
 */
export function bankAnswer(kind: InstructionKind, amount: number): BankOutcome | null {
  const row = cents[amount % 100];
  if (!row || kind === 'internal_transfer') return { outcome: 'settled', amount };
  const failure = row[kind];
  return failure && { outcome: 'failed', reason: reasonOf(kind, failure) };
}

/** Orders of records that simulate ends. */
const simulated: ReadonlySet<OrderPurpose> = new Set([
  'load',
  'payment_by_bank',
  'withdrawal',
  'closing',
  'refund',
]);
export const isSimulated = (purpose: OrderPurpose): boolean => simulated.has(purpose);

/** By name, letter for letter; any other is approved (rules/sandbox#18). */
const decisions: ReadonlyMap<string, IdentityDecision> = new Map([
  ['Review', 'unclear'],
  ['Denied', 'rejected'],
]);

/** The names that are not approved, with the status in which their bearer ends. */
export const magicNames = [...decisions].map(([name, decision]) => ({
  name,
  outcome: decision === 'rejected' ? ('rejected' as const) : ('in_review' as const),
}));

const decisionOn = (name: string | null | undefined): IdentityDecision =>
  decisions.get(name ?? '') ?? 'approved';

/** The last name of an individual, the legal name of a business. */
export const customerAnswer = (
  customer: Pick<CustomerRow, 'type' | 'family_name' | 'legal_name'>,
): IdentityDecision =>
  decisionOn(customer.type === 'individual' ? customer.family_name : customer.legal_name);

/** The last word of an owner's name. */
export const ownerAnswer = ({ name }: Pick<OwnerRow, 'name'>): IdentityDecision =>
  decisionOn(name?.trim().split(/\s+/).at(-1));
