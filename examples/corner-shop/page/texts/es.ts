import type { Texts } from './en.ts';
import { common } from './es/common.ts';
import { inspector } from './es/inspector.ts';
import { phone } from './es/phone.ts';
import { refusals } from './es/refusals.ts';
import { till } from './es/till.ts';
import { tour } from './es/tour.ts';

export const es: Texts = { ...common, inspector, phone, refusals, till, tour };
