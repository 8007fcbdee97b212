import type { Config } from './config.ts';

/** The hosts of a deployment; without settings of their own all of them are that of `PUBLIC_URL` (rules/security#24). */

type Urls = Pick<Config, 'publicUrl'> & Partial<Pick<Config, 'consoleUrl' | 'hostedUrl'>>;

/** Where people sign in, and their pages are. */
export const consoleSite = ({ consoleUrl, publicUrl }: Urls): string => consoleUrl ?? publicUrl;

/** Where the customers' pages are. */
export const hostedSite = ({ hostedUrl, publicUrl }: Urls): string => hostedUrl ?? publicUrl;
