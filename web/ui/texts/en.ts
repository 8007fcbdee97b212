import { common, trouble } from './en/common.ts';
import { refusals } from './en/refusals.ts';
import { start } from './en/start.ts';

/** English texts of what several pages show; the tables of other languages must have the same type. */
export const texts = { start, common, trouble, refusals };
export type Texts = typeof texts;
