import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Owner,
  ownerLifecycle,
  ownerRoles,
} from '@tenant-payments/contract/resources/owners.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** The people behind a business. */
export const owners = table({
  name: 'owners',
  key: ['id'],
  unique: { link: ['link_hash'] },
  sets: ['customer_id'],
  frozen: ['customer_id', 'created_at'],
  lifecycle: ownerLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    name: orNull(column.text),
    role: words(ownerRoles),
    ownership_percent: orNull(column.integer),
    status: words(ownerLifecycle.states),
    invited_at: orNull(column.instant),
    /** The recipient of the link: an email address or a number, sealed (rules/retention#1). */
    contact_sealed: orNull(column.text),
    /** The hash of the last link sent. */
    link_hash: orNull(column.text),
    /** How often the verification was rejected, and when the next attempt is possible. */
    rejections: column.integer,
    retry_available_at: orNull(column.instant),
    /** The identity provider's reference (rules/retention#1). */
    identity_reference: orNull(column.text),
    /** The name in the owner's own data is another one than the business gave (rules/owners#14). */
    named_otherwise: column.boolean,
    /** Until when a call may take that gives the owner's data to the provider (rules/customers#21). */
    collecting_until: orNull(column.instant),
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Owner => ({
    id: publicId('owner', row.id),
    object: 'owner',
    customer_id: publicId('customer', row.customer_id),
    name: row.name ?? 'erased',
    role: row.role,
    ownership_percent: row.ownership_percent,
    verification_status: row.status,
    invited_at: row.invited_at,
    updated_at: row.updated_at,
  }),
});
export type OwnerRow = RowOf<typeof owners>;
