import type { FileLanguage } from '@tenant-payments/service/http/files/downloads.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import type { LetterWords } from './letter_words.ts';

/** The languages of letters. */
export const letterWords: Readonly<Record<FileLanguage, LetterWords>> = {
  en: english,
  es: spanish,
};
