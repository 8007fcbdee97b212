import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Customer,
  closingReasons,
  customerLifecycle,
  customerTypes,
  ownersStatuses,
} from '@tenant-payments/contract/resources/customers.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

const erased = 'erased';

/** Customers. Which personal data is stored, and in which form: rules/retention#1. */
export const customers = table({
  name: 'customers',
  key: ['id'],
  unique: { external_ref: ['external_ref'], mobile_number: ['mobile_hmac'] },
  frozen: ['type', 'external_ref', 'metadata', 'created_at'],
  lifecycle: customerLifecycle,
  columns: {
    id: column.uuid,
    type: words(customerTypes),
    external_ref: column.text,
    /** Null once erased, like the other personal data (rules/retention#5). */
    email: orNull(column.text),
    /** Finds a number; the number itself is sealed. Null once it is free again (rules/closing#13). */
    mobile_hmac: orNull(column.text),
    mobile_sealed: orNull(column.text),
    mobile_last4: orNull(column.text),
    given_name: orNull(column.text),
    family_name: orNull(column.text),
    legal_name: orNull(column.text),
    trading_name: orNull(column.text),
    industry: orNull(column.text),
    owners_status: orNull(words(ownersStatuses)),
    status: words(customerLifecycle.states),
    verification_updated_at: column.instant,
    retry_available_at: orNull(column.instant),
    /** How often the verification was rejected; each wait is longer (rules/customers#15). */
    rejections: column.integer,
    /** The reviewer requested more data: onboarding is open while pending. */
    more_requested: column.boolean,
    identity_reference: orNull(column.text),
    /** Why the application was withdrawn before any approval; null: it was not. */
    withdrawn_reason: orNull(words(closingReasons)),
    account_id: orNull(column.uuid),
    pin_set: column.boolean,
    pin_locked: column.boolean,
    /** The live session of each flow: at most one (rules/sessions#3). */
    onboarding_session_id: orNull(column.uuid),
    pin_reset_session_id: orNull(column.uuid),
    contact_change_session_id: orNull(column.uuid),
    terms_session_id: orNull(column.uuid),
    /** When a document will have waited too long; null: none waits (`documents/terms.ts`). */
    terms_due_at: orNull(column.instant),
    /** When a reviewer decided to erase the person's data (`erasure/erasure.ts`). */
    erased_at: orNull(column.instant),
    /** The time from which records go on paper: consent to electronic ones was withdrawn (rules/documents#34). */
    paper_since: orNull(column.instant),
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Customer => ({
    id: publicId('customer', row.id),
    object: 'customer',
    type: row.type,
    external_ref: row.external_ref,
    email: row.email ?? erased,
    mobile_number_last4: row.mobile_last4 ?? erased,
    business:
      row.type === 'business'
        ? {
            legal_name: row.legal_name,
            trading_name: row.trading_name,
            industry: row.industry,
            owners_status: row.owners_status ?? 'not_started',
          }
        : null,
    verification: {
      status: row.status,
      updated_at: row.verification_updated_at,
      retry_available_at: row.retry_available_at,
    },
    account_id: row.account_id && publicId('account', row.account_id),
    pin_locked: row.pin_locked,
    onboarding_session: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
  }),
});
export type CustomerRow = RowOf<typeof customers>;
