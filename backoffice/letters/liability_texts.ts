import { isLiabilityLimited } from '@tenant-payments/service/resources/disputes/table.ts';
import { dollars } from '@tenant-payments/service/resources/statements/words.ts';
import type { Section, Told } from './letter.ts';

const late = ({
  dispute: { notice_late_days, extenuating_at },
  words: { liability },
}: Told): readonly string[] =>
  notice_late_days === 0
    ? []
    : [liability.late, ...(extenuating_at === null ? [] : [liability.extended])];

/** The section on what the customer bears of an unauthorized transfer, and why (rules/disputes#56). */
export function liabilitySection(told: Told): Section[] {
  const { dispute, words } = told;
  if (!isLiabilityLimited(dispute)) return [];
  const { customer_bears_cents: bears, liability_tier: tier } = dispute;
  const { heading, bears: borne, reasons } = words.liability;
  const paragraphs = [
    ...late(told),
    ...(bears === null || tier === null
      ? []
      : [`${borne(dollars(bears))} ${reasons[tier]}`.trim()]),
  ];
  return paragraphs.length === 0 ? [] : [{ heading, paragraphs }];
}
