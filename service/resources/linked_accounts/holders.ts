import { readableOf } from '@tenant-payments/contract/core/readable.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { HolderMatch } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Static } from 'typebox';
import { nameScore } from '../customers/name_score.ts';
import { fullName, type NameFields } from '../customers/names.ts';

type Match = Static<typeof HolderMatch>;

/** Names of an aggregator are shown to reviewers: so many, and so long (rules/errors#45). */
const mostHolders = 10;
const longestName = 200;

const readable = (names: readonly string[]): string[] =>
  names
    .slice(0, mostHolders)
    .flatMap((name) => (typeof name === 'string' ? (readableOf(name, longestName) ?? []) : []));

/** Names that came with an account, until something is decided by them; null: none came. */
export function heldNames(
  customer: NameFields,
  names: readonly string[] | undefined,
): Match | null {
  const holders = readable(names ?? []);
  return holders.length === 0 ? null : { customer_name: fullName(customer), holders, score: null };
}

/** The names of a customer by which an account may run. */
const namesOf = (customer: NameFields): string[] =>
  customer.type === 'business' && customer.trading_name !== null
    ? [fullName(customer), customer.trading_name]
    : [fullName(customer)];

const scoreOf = (customer: NameFields, holders: readonly string[]): number =>
  Math.max(
    0,
    ...namesOf(customer).flatMap((ours) =>
      holders.map((theirs) => nameScore(ours, theirs, customer.type)),
    ),
  );

type Decision = 'verified' | 'unclear' | 'owner_mismatch';

/**
 * Whether an account with these holders is the customer's (rules/linking#27).
 * @param given names of holders, and how much they are one with the customer as the aggregator says; null: it does not
 * @returns null as match where nobody names a holder: nothing was compared
 */
export function judgeHolders(
  { holder_match_verified, holder_match_review }: Settings,
  customer: NameFields,
  given: { readonly names: readonly string[]; readonly score: number | null },
): { readonly decision: Decision; readonly match: Match | null } {
  const held = heldNames(customer, given.names);
  if (held === null && given.score === null) return { decision: 'unclear', match: null };
  const holders = held?.holders ?? [];
  const score = given.score ?? scoreOf(customer, holders);
  const decision =
    score >= holder_match_verified
      ? 'verified'
      : score >= holder_match_review
        ? 'unclear'
        : 'owner_mismatch';
  return { decision, match: { customer_name: fullName(customer), holders, score } };
}

/** Names that are one person's, or one business's: who has two customers, and not who shares an account. */
const sameFrom = 85;

/** Whether two customers are one person or business by their names (rules/linking#26). */
export const areOne = (one: NameFields, other: NameFields): boolean =>
  one.type === other.type && scoreOf(one, namesOf(other)) >= sameFrom;
