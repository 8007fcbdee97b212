/** The text of a version of a document, in both languages. */
export interface LegalText {
  readonly version: string;
  readonly title: Readonly<Record<'en' | 'es', string>>;
  readonly text: Readonly<Record<'en' | 'es', string>>;
}

/** The month after a version: `2026-12` and `2026-12-15` give `2027-01`. */
function monthAfter(version: string): string {
  const [year = 0, month = 0] = version.split('-').map(Number);
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 'YYYY-MM'.length);
}

/** The next version, with a paragraph that says so. */
export function nextTerms({ version, title, text }: LegalText): LegalText {
  const next = monthAfter(version);
  return {
    version: next,
    title,
    text: {
      en: `*Version ${next}, published from Corner Shop.*\n\n${text.en}`,
      es: `*Versión ${next}, publicada desde Corner Shop.*\n\n${text.es}`,
    },
  };
}
