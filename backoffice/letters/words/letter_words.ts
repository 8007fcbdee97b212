import type { disputeTypes } from '@tenant-payments/contract/core/dispute_types.ts';
import type { Institution } from '@tenant-payments/contract/core/institutions.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type { LiabilityTier } from '@tenant-payments/contract/resources/dispute_cases.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';
import type { LetterKind } from '../../contract/operate/dispute_letters.ts';

type DisputeType = (typeof disputeTypes)[number];

/** The sentences about the finding, by the type of the notice. */
interface Findings {
  readonly approved: string;
  readonly partly: string;
  readonly denied: string;
  /** Why it is denied, where the reviewer wrote nothing. @param of the transaction, or no one is named */
  readonly why: (of: 'transaction' | 'account') => string;
}

/** A credit as a sentence names it; amounts and days are in the words of the language. */
interface Credit {
  readonly is: 'provisional' | 'final';
  readonly amount: string;
  readonly day: string;
  readonly bank: string;
}

/** Every word of a letter in one language, with the order in which they stand. */
export interface LetterWords {
  /** The PDF's language tag. */
  readonly language: string;
  /** The sentence that offers the letter in the other language, in that language. */
  readonly other: { readonly language: string; readonly text: string };
  readonly longDay: (day: Day) => string;
  readonly page: (number: number) => string;
  readonly columns: readonly [item: string, detail: string];
  readonly titles: Readonly<Record<LetterKind, string>>;
  readonly dear: (name: string) => string;
  readonly sincerely: (issuer: string) => string;
  readonly contact: (institution: Institution) => string;
  readonly question: (contact: string) => string;
  readonly law: { readonly deadlines: string; readonly liability: string };
  readonly noticeTypes: Readonly<Record<DisputeType, string>>;
  readonly types: Readonly<Record<TransactionType, string>>;
  readonly subject: {
    readonly heading: string;
    readonly dispute: string;
    readonly type: string;
    readonly received: string;
    readonly transaction: string;
    readonly none: string;
    readonly date: string;
    readonly amount: string;
    readonly party: string;
    readonly payment: string;
    readonly transactionId: string;
    readonly disputed: string;
  };
  readonly findings: Readonly<Record<DisputeType, Findings>>;
  readonly found: {
    readonly heading: string;
    readonly due: (award: string, disputed: string | null) => string;
    readonly borne: string;
    readonly withdrawn: string;
    readonly refunded: string;
  };
  readonly documents: {
    readonly heading: string;
    readonly paragraphs: (contact: string) => string[];
  };
  readonly credit: {
    readonly heading: string;
    readonly account: (credit: Credit) => string;
    readonly suspense: (credit: Credit) => string;
    readonly bank: (credit: Credit) => string;
    readonly nothing: string;
    readonly without: string;
    /** The whole provisional credit is final, or this much of it. */
    readonly final: (given: string, day: string, award: string | null) => string;
    readonly debit: (debit: string, day: string, isWhole: boolean) => string;
    readonly honored: (day: string) => string;
    readonly kept: (given: string, day: string) => string;
  };
  readonly provisional: {
    readonly lead: string;
    readonly fullUse: string;
    readonly heading: string;
    readonly until: (day: string | null) => string;
    readonly final: string;
    readonly warned: string;
  };
  readonly liability: {
    readonly heading: string;
    readonly late: string;
    readonly extended: string;
    readonly bears: (amount: string) => string;
    readonly reasons: Readonly<Record<LiabilityTier, string>>;
  };
  readonly late: {
    readonly lead: string;
    readonly headings: readonly [came: string, bears: string, kept: string];
    readonly came: string;
    readonly bears: readonly string[];
    readonly kept: (contact: string) => string;
  };
  readonly reasserted: {
    readonly lead: (type: DisputeType) => string;
    readonly headings: readonly [answer: string, canDo: string];
    readonly answered: string;
    readonly answer: (
      outcome: 'approved' | 'partially_approved' | 'denied',
      day: string,
      dispute: string,
    ) => string;
    readonly noSecond: string;
    readonly canDo: (contact: string) => string[];
  };
}
