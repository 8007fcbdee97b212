import { IdInput, Instant } from '@tenant-payments/contract/core/schema.ts';
import Type from 'typebox';

/** What the lists of records are filtered by, besides their status (rules/portal-records#4). */

export const madeBetween = {
  from: Type.Optional(Instant("Made not before, on the Tenant's clock")),
  to: Type.Optional(Instant("Made before, on the Tenant's clock")),
};

export const ofCustomer = {
  customer_id: Type.Optional(IdInput('Only those of this customer, on either side')),
};
