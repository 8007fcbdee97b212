import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  flows,
  type Session,
  sessionLifecycle,
  type Target,
  targetTypes,
} from '@tenant-payments/contract/resources/sessions.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Hosted sessions. The token is stored only as a hash and is in no event. */
export const sessions = table({
  name: 'sessions',
  key: ['id'],
  unique: { token: ['token_hash'], bearer: ['bearer_hash'], result_token: ['result_token_hash'] },
  frozen: [
    'flow',
    'customer_id',
    'target_type',
    'target_id',
    'token_hash',
    'return_url',
    'expires_at',
    'created_at',
  ],
  lifecycle: sessionLifecycle,
  columns: {
    id: column.uuid,
    flow: words(flows),
    customer_id: column.uuid,
    target_type: orNull(words(targetTypes)),
    target_id: orNull(column.uuid),
    status: words(sessionLifecycle.states),
    token_hash: column.uuid,
    return_url: orNull(column.text),
    /** Hash of the page's credential, from the opening on. */
    bearer_hash: orNull(column.uuid),
    opened_at: orNull(column.instant),
    /** When the session ends by itself; while unopened this is expires_at (rules/sessions#11). */
    ends_at: column.instant,
    /** The session gives a result token; `rt_test_<id>` where simulate ended the flow. */
    gave_result: column.boolean,
    result_token_hash: orNull(column.uuid),
    exchanged_at: orNull(column.instant),
    /**
     * Status of the target, or of the verification, when the flow ended (rules/sessions#26). Of one without a target
     * that was left or expired 1.0.0 wrote null.
     */
    ended_status: orNull(column.text),
    terms_decision: orNull(words(['accepted', 'declined'])),
    expires_at: column.instant,
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Session => ({
    id: publicId('session', row.id),
    object: 'session',
    flow: row.flow,
    customer_id: publicId('customer', row.customer_id),
    target: targetOf(row),
    status: row.status,
    token: null,
    return_url: row.return_url,
    expires_at: row.expires_at,
    created_at: row.created_at,
  }),
});
export type SessionRow = RowOf<typeof sessions>;

/** The target of a payment_confirm session, as the API shows it. */
export const targetOf = (row: Pick<SessionRow, 'target_type' | 'target_id'>): Target | null =>
  row.target_type === null || row.target_id === null
    ? null
    : { type: row.target_type, id: publicId(row.target_type, row.target_id) };
