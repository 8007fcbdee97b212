import { randomInt } from 'node:crypto';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';

/** An invitation, a sandbox's link, a device code, and an attempt at a provider. */
type TokenKind = 'tpi' | 'tpl' | 'tpd' | 'tpa';

interface Marking {
  readonly vault: Pick<Vault, 'newSecret' | 'tenantOf'>;
}

/** 256 random bits under a mark, with a prefix that redaction knows by its form. */
export const newToken = ({ vault }: Marking, kind: TokenKind): string =>
  vault.newSecret(platformId, kind);

/** The forms of tokens of 1.0.0, which have no mark. */
const unmarked: Readonly<Record<TokenKind, RegExp>> = {
  tpi: /^tpi_[\w-]{43}$/,
  tpl: /^tpl_[\w-]{43}$/,
  tpd: /^tpd_[\w-]{43}$/,
  tpa: /^[\w-]{43}$/,
};

/** Whether a token must be looked for; any other is made up, and costs no query (rules/security#20). */
export const mayBeOurs = ({ vault }: Marking, kind: TokenKind, token: string): boolean =>
  vault.tenantOf(token, kind) !== null || unmarked[kind].test(token);

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
