import { common } from './en/common.ts';
import { inspector } from './en/inspector.ts';
import { phone } from './en/phone.ts';
import { refusals } from './en/refusals.ts';
import { till } from './en/till.ts';
import { tour } from './en/tour.ts';

export const en = { ...common, inspector, phone, refusals, till, tour };
export type Texts = typeof en;
