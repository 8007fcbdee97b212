import { randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, with a prefix that redaction knows by its form. */
export const newToken = (prefix: 'tps' | 'tpi' | 'tpl' | 'tpd'): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`;

/** How many recovery codes a person has at first. */
export const codeCount = 10;
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codeLength = 18;
const group = 6;

/** Eighteen characters of 31: 89 random bits, so that a fast hash hides them. */
function newCode(): string {
  const text = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]);
  return [0, group, 2 * group].map((at) => text.slice(at, at + group).join('')).join('-');
}

export const newCodes = (): string[] => Array.from({ length: codeCount }, newCode);

/** An e-mail address as it is stored and compared. Only letters of ASCII fold: U+212A would become a k. */
export const emailOf = (given: string): string =>
  given.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
