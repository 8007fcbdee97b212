/** A person's tax number: of the Social Security Administration, or of the IRS for whoever can have none there. */
export type TaxNumberKind = 'ssn' | 'itin';

/** The Social Security Administration never assigns these (SSA, POMS RM 10201.035). */
const neverSsn = /^(000|666|9..)|^...00|0000$/;

/** The IRS assigns these: 9 in front, and 50-65, 70-88, 90-92 or 94-99 in the middle (IRS, IRM 3.21.263). */
const itin = /^9..(5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])/;

/** The kind of a number of nine digits (rules/customers#18); null: nobody is ever given this number. */
export function taxNumberKind(digits: string): TaxNumberKind | null {
  if (itin.test(digits)) return 'itin';
  return neverSsn.test(digits) ? null : 'ssn';
}
