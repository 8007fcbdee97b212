import Type, { type Static } from 'typebox';
import { Closed, Readable } from './schema.ts';

/**
 * The institution that holds the account, as statements and letters name it [12 CFR 1005.9(b)(5)]. The platform sets
 * it; production takes no customer without it (rules/documents#23).
 */
export const Institution = Closed({
  name: Readable(100, 'Who answers for the account'),
  bank: Readable(100, 'The bank that holds the money'),
  address: Readable(200, 'Where to write to, on one line'),
  phone: Type.String({
    pattern: '^\\+1[2-9][0-9]{9}$',
    description: 'A US number, as +12125550100',
  }),
  hours: Readable(100, 'When somebody answers the phone'),
});
export type Institution = Static<typeof Institution>;

/** The institution of a sandbox whose platform has set none. */
export const sampleInstitution: Institution = {
  name: 'Sample Institution',
  bank: 'Sample Bank, N.A.',
  address: '100 Sample Street, Anytown, NY 10001',
  phone: '+12125550100',
  hours: 'Monday to Friday, 9 am to 5 pm Eastern Time',
};

/** `(212) 555-0100` */
export const shownPhone = (phone: string): string =>
  phone.replace(/^\+1(...)(...)(....)$/, '($1) $2-$3');

/** The institution that a Tenant's customers read of. */
export const institutionOf = ({
  institution,
}: {
  readonly institution: Institution | null;
}): Institution => institution ?? sampleInstitution;
