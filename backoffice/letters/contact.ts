import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import type { LetterFacts } from './facts.ts';
import type { Told } from './letter.ts';

/** The institution at the head of a letter, one line each. */
export const senderOf = ({
  institution: { name, address, phone },
}: Pick<LetterFacts, 'institution'>): readonly string[] => [name, address, shownPhone(phone)];

/** How the customer reaches the institution, within a sentence. */
export const contactOf = ({ institution, words }: Told): string => words.contact(institution);
