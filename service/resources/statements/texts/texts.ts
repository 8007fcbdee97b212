import { english } from './en.ts';
import { spanish } from './es.ts';
import type { StatementTexts } from './statement_texts.ts';

/** The languages of statements. */
export const statementTexts = { en: english, es: spanish } as const satisfies Readonly<
  Record<string, StatementTexts>
>;
export type StatementLanguage = keyof typeof statementTexts;
