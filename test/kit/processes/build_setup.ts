import { buildIfStale } from './built.ts';

/** Before the tests of what is built: programs, pages and packages are those of today's sources. */
export const setup = (): Promise<void> => buildIfStale('programs', 'web', 'sdk');
