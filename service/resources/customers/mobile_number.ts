import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * A mobile number as stored: an HMAC to find it, sealed, last four in clear (rules/retention#1).
 */
export interface StoredMobile {
  readonly mobile_hmac: string;
  readonly mobile_sealed: string;
  readonly mobile_last4: string;
}

/** The binding of a sealed number. */
export const mobileSeal = (hmac: string): string => `mobile ${hmac}`;

/** The ten digits of a number that can exist: no service such as 911, no area code that is kept back. */
const canExist = /^(?!.11|.9|37|96|555)[2-9][0-9]{2}[2-9][0-9]{6}$/;

/** The United States and its territories, as the library names them. */
const american: ReadonlySet<string> = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP']);

/** No code by SMS arrives there, or its sending is charged to us. */
const unreachable: ReadonlySet<string> = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'PERSONAL_NUMBER']);

/**
 * Judges a number by what it cannot be. Area codes open faster than the library learns of them, so
 * one that it does not know passes; the code by SMS proves the rest (rules/customers#4).
 */
function mobileFault(number: PhoneNumber | undefined): string | null {
  if (number?.countryCallingCode !== '1' || !canExist.test(number.nationalNumber))
    return 'not_a_us_number';
  if (number.country !== undefined && !american.has(number.country)) return 'not_a_us_number';
  return unreachable.has(number.getType() ?? '') ? 'not_a_mobile_number' : null;
}

/**
 * Reads a number as supplied.
 * @throws ApiError parameter_invalid {reason: not_a_us_number, not_a_mobile_number}
 */
export function storeMobile(vault: Vault, tenantId: string, supplied: string): StoredMobile {
  const number = parsePhoneNumberFromString(supplied);
  const reason = mobileFault(number);
  if (!number || reason !== null)
    throw fail('parameter_invalid', { param: 'mobile_number', details: { reason } });
  const e164: string = number.number;
  const hmac = vault.index(tenantId, `mobile ${e164}`);
  return {
    mobile_hmac: hmac,
    mobile_sealed: vault.seal(tenantId, mobileSeal(hmac), e164),
    mobile_last4: e164.slice(-4),
  };
}

/** A freed number is sealed for its customer, since no HMAC is left. */
const freedSeal = (customerId: string): string => mobileSeal(`freed ${customerId}`);

/**
 * The columns of a number that is free again: no HMAC finds it any more, and it stays sealed until
 * erasure (rules/retention#1). Freed already: as they are.
 */
export function freedMobile(
  vault: Vault,
  tenantId: string,
  customer: { id: string; mobile_hmac: string | null; mobile_sealed: string | null },
): { mobile_hmac: null; mobile_sealed: string | null } {
  const { id, mobile_hmac, mobile_sealed } = customer;
  if (mobile_hmac === null || mobile_sealed === null) return { mobile_hmac: null, mobile_sealed };
  const number = openMobile(vault, tenantId, customer);
  return { mobile_hmac: null, mobile_sealed: vault.seal(tenantId, freedSeal(id), number) };
}

/** The number in E.164, for a message alone. */
export function openMobile(
  vault: Vault,
  tenantId: string,
  { mobile_hmac, mobile_sealed }: { mobile_hmac: string | null; mobile_sealed: string | null },
): string {
  assert(
    mobile_hmac !== null && mobile_sealed !== null,
    'a number that is told has not been freed',
  );
  return String(vault.open(tenantId, mobileSeal(mobile_hmac), mobile_sealed));
}
