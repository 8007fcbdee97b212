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
