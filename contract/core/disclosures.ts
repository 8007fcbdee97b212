/**
 * The disclosures that the terms of an account must make before its first transfer [12 CFR 1005.7(b)], each part by
 * words that tell of it in both languages. A check by words finds what is missing, not whether what is there is right:
 * that is counsel's to say. Left out is what this service does not do: preauthorized transfers (7) and machines (11).
 */
interface Words {
  /** All of them must be there. */
  readonly en: readonly RegExp[];
  readonly es: readonly RegExp[];
}

interface DisclosurePart extends Words {
  readonly part: string;
  /** The paragraph of 12 CFR 1005.7. */
  readonly law: string;
}

const part = (
  name: string,
  law: string,
  en: RegExp,
  es: RegExp,
  ...both: readonly RegExp[]
): DisclosurePart => ({ part: name, law, en: [en, ...both], es: [es, ...both] });

const telephone = /\(?[2-9]\d\d\)?[ .-]\d{3}[.-]\d{4}/;

export const disclosureParts: readonly DisclosurePart[] = [
  part(
    'liability',
    '1005.7(b)(1)',
    /\byour liability\b|can lose no more than/i,
    /\bsu responsabilidad\b/i,
  ),
  part('telephone_and_address', '1005.7(b)(2)', /write (?:to )?us/i, /escr[ií]banos/i, telephone),
  part('business_days', '1005.7(b)(3)', /business days are/i, /días hábiles son/i),
  part('transfers_and_limits', '1005.7(b)(4)', /\blimits?\b/i, /\blímites?\b/i),
  part('fees', '1005.7(b)(5)', /\bfees?\b/i, /\bcomisi(?:ón|ones)\b/i),
  part('documentation', '1005.7(b)(6)', /\bstatements?\b/i, /estados? de cuenta/i),
  part(
    'our_liability',
    '1005.7(b)(8)',
    /\bour liability\b|we will be liable/i,
    /nuestra responsabilidad/i,
  ),
  part('third_parties', '1005.7(b)(9)', /third part(?:y|ies)/i, /\bterceros\b/i),
  part(
    'errors',
    '1005.7(b)(10)',
    /in case of errors or questions/i,
    /en caso de errores o preguntas/i,
  ),
];

/** The longer periods for new accounts, which one sentence of the disclosure must say [comment 7(b)(10)-2]. */
const longerPeriods: Words = {
  en: [/new accounts?/i, /20 business days/i],
  es: [/cuentas? nuevas?/i, /20 días hábiles/i],
};

interface Both {
  readonly en: string;
  readonly es: string;
}

/** A word that a line break divides is one. */
const onOneLine = (text: string): string => text.replaceAll(/[\s*_>]+/g, ' ');
const saysAll = (text: string, words: readonly RegExp[]): boolean =>
  words.every((word) => word.test(text));
const says = (text: Both, language: keyof Both, words: Words): boolean =>
  saysAll(onOneLine(text[language]), words[language]);

/** Parts that a text of the account's terms lacks, in either language (rules/documents#25). */
export const lackingParts = (text: Both): string[] =>
  disclosureParts
    .filter((one) => !says(text, 'en', one) || !says(text, 'es', one))
    .map(({ part }) => part);

/** Whoever reads either language has read of the longer periods. */
export const saysLongerPeriods = (text: Both): boolean =>
  (['en', 'es'] as const).every((language) =>
    onOneLine(text[language])
      .split('.')
      .some((sentence) => saysAll(sentence, longerPeriods[language])),
  );

/** How a sample begins to say that it is one. */
export const sampleMarks = { en: '**Sample text.**', es: '**Texto de muestra.**' } as const;

export const isSampleText = ({ en, es }: Both): boolean =>
  en.includes(sampleMarks.en) || es.includes(sampleMarks.es);
