import type { Industry } from '@tenant-payments/contract/core/industries.ts';
import type { Locale } from '../../ui/texts/locale.ts';

/** Key and name of each, by the alphabet of the language, so that typing finds a name. */
export const industryNames = (
  industries: readonly Industry[],
  locale: Locale,
): readonly (readonly [key: string, name: string])[] =>
  industries
    .map(({ key, name }) => [key, name[locale]] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, locale));

/** The name of a key; a key that is no longer of the list has none. */
export const industryName = (
  industries: readonly Industry[],
  key: string,
  locale: Locale,
): string | null => industries.find((industry) => industry.key === key)?.name[locale] ?? null;
