import { common, staying, trouble } from './en/common.ts';
import { confirm, failures } from './en/confirm.ts';
import { codes, documents, forms } from './en/forms.ts';
import { business, onboarding, owner } from './en/onboarding.ts';
import { bank, contact, passkeys, pinReset, terms } from './en/others.ts';
import { refusals } from './en/refusals.ts';
import { start } from './en/start.ts';

/** English; the tables of other languages must have the same type. */
export const texts = {
  start,
  common,
  trouble,
  staying,
  refusals,
  confirm,
  failures,
  forms,
  codes,
  documents,
  onboarding,
  business,
  owner,
  pinReset,
  contact,
  passkeys,
  terms,
  bank,
};
export type Texts = typeof texts;
