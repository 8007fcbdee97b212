import { randomInt } from 'node:crypto';
import type { Service } from '@tenant-payments/service/service.ts';

/** Codes that people type (RFC 8628, 6.1): consonants make no words, and none looks like a digit. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;
const group = 4;

/** `WDJB-MJHT`: 34 random bits, which live for minutes and are guessed ten times at most. */
export function newUserCode(): string {
  const text = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]);
  return `${text.slice(0, group).join('')}-${text.slice(group).join('')}`;
}

/** How a code is stored and found, however it was typed: keyed, since it is short. */
export const userCodeIndex = ({ vault }: Pick<Service, 'vault'>, typed: string): string =>
  vault.index('', `device ${typed.toUpperCase().replaceAll(/[^A-Z]/g, '')}`);
