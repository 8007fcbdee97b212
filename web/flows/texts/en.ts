import { texts as parts } from '../../ui/texts/en.ts';
import { confirm, failures } from './en/confirm.ts';
import { codes, documents, forms } from './en/forms.ts';
import { identityStep } from './en/identity_step.ts';
import { business, onboarding, owner, papers } from './en/onboarding.ts';
import { bank, contact, passkeys, pinReset, terms } from './en/others.ts';
import { staying } from './en/staying.ts';

/** English; the tables of other languages must have the same type. */
export const texts = {
  ...parts,
  staying,
  confirm,
  failures,
  forms,
  codes,
  documents,
  onboarding,
  papers,
  identityStep,
  business,
  owner,
  pinReset,
  contact,
  passkeys,
  terms,
  bank,
};
export type Texts = typeof texts;
