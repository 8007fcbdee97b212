import { texts as parts } from '../../ui/texts/es.ts';
import type { Texts } from './en.ts';
import { confirm, failures } from './es/confirm.ts';
import { codes, documents, forms } from './es/forms.ts';
import { identityStep } from './es/identity_step.ts';
import { business, onboarding, owner, papers } from './es/onboarding.ts';
import { bank, contact, passkeys, pinReset, terms } from './es/others.ts';
import { staying } from './es/staying.ts';

/** Spanish, as a bank in the United States addresses its customers. */
export const texts: Texts = {
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
