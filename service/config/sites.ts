import type { Config } from './config.ts';

/** The hosts of a deployment; without settings of their own all of them are that of `PUBLIC_URL` (rules/security#24). */

type Urls = Pick<Config, 'publicUrl'> & Partial<Pick<Config, 'consoleUrl' | 'hostedUrl'>>;

/** The site where people sign in and have their pages. */
export const consoleSite = ({ consoleUrl, publicUrl }: Urls): string => consoleUrl ?? publicUrl;

/** The documentation; null: there is none (rules/docs-site#11). */
export function docsSite({ docs, publicUrl }: Pick<Config, 'docs' | 'publicUrl'>): string | null {
  if (docs === 'off') return null;
  return docs === 'on' ? `${publicUrl}/docs` : docs;
}

/** The site of the customers' pages. */
export const hostedSite = ({ hostedUrl, publicUrl }: Urls): string => hostedUrl ?? publicUrl;
