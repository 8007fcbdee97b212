import type { Texts } from './en.ts';
import { common, trouble } from './es/common.ts';
import { refusals } from './es/refusals.ts';
import { start } from './es/start.ts';

/** Spanish texts of what several pages show. */
export const texts: Texts = { start, common, trouble, refusals };
