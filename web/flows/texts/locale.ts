import { texts as en, type Texts } from './en.ts';
import { texts as es } from './es.ts';

export const locales = ['en', 'es'] as const;
export type Locale = (typeof locales)[number];

/** The first wish that there are texts for; `es-MX` is served by `es`. */
export function localeOf(wishes: readonly (string | null)[]): Locale {
  for (const wish of wishes) {
    const language = wish?.toLowerCase().split(/[-_]/)[0];
    const found = locales.find((locale) => locale === language);
    if (found) return found;
  }
  return 'en';
}

/** All are in the page's script: to ask for one would take longer than to load both. */
export const textsIn: Readonly<Record<Locale, Texts>> = { en, es };
