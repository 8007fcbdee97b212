import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import type { LetterFacts } from './facts.ts';

type Sender = Pick<LetterFacts, 'institution'>;

/** The institution at the head of a letter, one line each. */
export const senderOf = ({ institution: { name, address, phone } }: Sender): readonly string[] => [
  name,
  address,
  shownPhone(phone),
];

/** How the customer reaches the institution, within a sentence. */
export const contactOf = ({ institution: { name, address, phone, hours } }: Sender): string =>
  `call ${shownPhone(phone)} (${hours}) or write to ${name}, ${address}`;
