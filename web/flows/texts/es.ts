import type { Texts } from './en.ts';
import { common, staying, trouble } from './es/common.ts';
import { confirm, failures } from './es/confirm.ts';
import { codes, documents, forms } from './es/forms.ts';
import { business, onboarding, owner } from './es/onboarding.ts';
import { bank, contact, passkeys, pinReset, terms } from './es/others.ts';
import { refusals } from './es/refusals.ts';
import { start } from './es/start.ts';

/** Spanish, as a bank in the United States addresses its customers. */
export const texts: Texts = {
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
