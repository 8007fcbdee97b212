import type { LiabilityTier } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { isLiabilityLimited } from '@tenant-payments/service/resources/disputes/table.ts';
import { dollars } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterFacts } from './facts.ts';
import type { Section } from './letter.ts';

/** Why the customer bears a part of an unauthorized transfer [1005.6(b)]. */
const reasons: Readonly<Record<LiabilityTier, string>> = {
  none: '',
  fifty:
    'A phone or another means of access was lost or stolen. You bear at most $50 of a transfer for which you told us within two business days after you learned of it, or which came within those two days.',
  five_hundred:
    'A phone or another means of access was lost or stolen, and you told us later than two business days after you learned of it. You then bear at most $500 of a transfer that we could have stopped had we known.',
  unlimited:
    'The transfer came more than 60 days after we had sent you a statement that showed an earlier unauthorized transfer, and we could have stopped it had you told us within those 60 days.',
};

const late = ({ dispute: { notice_late_days, extenuating_at } }: LetterFacts): readonly string[] =>
  notice_late_days === 0
    ? []
    : [
        'You told us of the transfer later than 60 days after we had sent you the statement that first shows it. You bear nothing because of this delay alone.',
        ...(extenuating_at === null
          ? []
          : ['You told us why, and we have extended the times within which you had to tell us.']),
      ];

/** What the customer bears of an unauthorized transfer, and why (rules/disputes#56). */
export function liabilitySection(facts: LetterFacts): Section[] {
  const { dispute } = facts;
  if (!isLiabilityLimited(dispute)) return [];
  const { customer_bears_cents: bears, liability_tier: tier } = dispute;
  const paragraphs = [
    ...late(facts),
    ...(bears === null || tier === null
      ? []
      : [`Of this transfer you bear ${dollars(bears)}. ${reasons[tier]}`.trim()]),
  ];
  return paragraphs.length === 0 ? [] : [{ heading: 'What you bear', paragraphs }];
}
