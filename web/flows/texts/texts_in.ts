import type { Locale } from '../../ui/texts/locale.ts';
import { texts as en, type Texts } from './en.ts';
import { texts as es } from './es.ts';

/** All are in the page's script: to ask for one would take longer than to load both. */
export const textsIn: Readonly<Record<Locale, Texts>> = { en, es };
