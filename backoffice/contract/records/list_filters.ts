import { IdInput, Instant, OneOf } from '@tenant-payments/contract/core/schema.ts';
import Type from 'typebox';

/** The filters of the lists of records, besides their status (rules/portal-records#4). */

export const madeBetween = {
  from: Type.Optional(Instant("Made not before, on the Tenant's clock")),
  to: Type.Optional(Instant("Made before, on the Tenant's clock")),
};

export const ofCustomer = {
  customer_id: Type.Optional(IdInput('Only those of this customer, on either side')),
};

export const inOrder = {
  order: Type.Optional(OneOf(['newest', 'oldest'], 'Which are first; default newest')),
};

/** The list as a file; whoever gets one with personal data leaves an access record (rules/audit#18). */
export const asFile = {
  format: Type.Optional(
    OneOf(
      ['json', 'csv'],
      'csv: the whole list as it is filtered, as a file, `text/csv` with a line of names; limit and cursor do not count',
    ),
  ),
};
