import type { Institution } from '@tenant-payments/contract/core/institutions.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type { Day } from '../../limits/days.ts';

/** Every word of a statement in one language. */
export interface StatementTexts {
  /** The language of a PDF. */
  readonly language: string;
  readonly title: string;
  readonly sample: string;
  /** The sentence that offers the statement in the other language, in that language. */
  readonly other: { readonly language: string; readonly text: string };
  readonly providedBy: (issuer: string) => string;
  readonly heldBy: (institution: Institution) => string;
  readonly holder: (name: string) => string;
  readonly account: (id: string) => string;
  readonly statement: (id: string) => string;
  readonly period: (start: Day, end: Day) => string;
  readonly name: (start: Day, end: Day) => string;
  readonly footer: (start: Day, end: Day) => string;
  readonly page: (number: number) => string;
  readonly summary: string;
  readonly item: string;
  readonly opening: string;
  readonly credits: string;
  readonly debits: string;
  readonly closing: string;
  readonly feesOfPeriod: string;
  readonly feesOfYear: (year: string) => string;
  readonly transactions: string;
  readonly none: string;
  readonly summed: (count: number) => string;
  readonly counted: (count: number) => string;
  /** Date, Transaction, details, fee, amount, balance. */
  readonly columns: readonly [string, string, string, string, string, string];
  readonly types: Readonly<Record<TransactionType, string>>;
  readonly day: (day: Day) => string;
  readonly inquiries: string;
  readonly directTo: (institution: Institution) => readonly string[];
  readonly errors: string;
  /** Model form A-3(b) of appendix A to 12 CFR 1005, paragraph by paragraph. */
  readonly notice: (institution: Institution) => readonly string[];
}
