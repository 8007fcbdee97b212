import type { Lifecycles, Resource } from './lifecycles.ts';

/**
 * How a page shows a state: it has gone well, is on its way, waits for somebody to act, has ended without a
 * fault, or has failed. Pages load this file: it imports types alone.
 */
export type StateTone = 'success' | 'progress' | 'action' | 'ended' | 'failed';

/** A tone for every state of every state table (rules/records#1). */
export const stateTones: {
  readonly [R in Resource]: Readonly<Record<Lifecycles[R]['states'][number], StateTone>>;
} = {
  customer: {
    created: 'progress',
    pending: 'progress',
    in_review: 'action',
    approved: 'success',
    rejected: 'failed',
  },
  owner: {
    invited: 'progress',
    pending: 'progress',
    in_review: 'action',
    approved: 'success',
    rejected: 'failed',
  },
  document_acceptance: { pending_acceptance: 'action', accepted: 'success', superseded: 'ended' },
  session: { created: 'progress', completed: 'success', canceled: 'ended', expired: 'ended' },
  linked_account: {
    pending: 'progress',
    held_for_review: 'action',
    verified: 'success',
    failed: 'failed',
    removed: 'ended',
  },
  account: {
    active: 'success',
    suspended: 'failed',
    dormant: 'ended',
    closing: 'progress',
    closed: 'ended',
  },
  transaction: { pending: 'progress', posted: 'success', reversed: 'ended' },
  load: {
    requires_confirmation: 'action',
    processing: 'progress',
    settled: 'success',
    failed: 'failed',
  },
  payment_request: { open: 'progress', paid: 'success', expired: 'ended', canceled: 'ended' },
  payment: {
    requires_confirmation: 'action',
    processing: 'progress',
    completed: 'success',
    failed: 'failed',
    canceled: 'ended',
    refunded: 'ended',
    partially_refunded: 'ended',
  },
  withdrawal: {
    requires_confirmation: 'action',
    processing: 'progress',
    settled: 'success',
    failed: 'failed',
  },
  refund: {
    requested: 'progress',
    pending_funds: 'action',
    processing: 'progress',
    completed: 'success',
    failed: 'failed',
  },
  statement: { available: 'success' },
  reconciliation_report: { available: 'success' },
  dispute: {
    received: 'action',
    investigating: 'progress',
    provisional_credit: 'progress',
    resolved: 'success',
    closed: 'ended',
  },
};

/** The same of what has no public state table: the desk's own cases, deliveries, people and keys. */
export const furtherTones = {
  delivery: {
    none: 'ended',
    pending: 'progress',
    retrying: 'action',
    delivered: 'success',
    failed: 'failed',
  },
  suspense: { held: 'action', matched: 'success', returned: 'ended' },
  bank_message: { open: 'action', closed: 'ended' },
  return_request: { open: 'action', accepted: 'success', refused: 'ended' },
  notice: { waiting: 'progress', sent: 'success', task: 'action', done: 'success' },
  rail_message: { received: 'progress', taken: 'success', parked: 'action', refused: 'failed' },
  approval: { waiting: 'action', approved: 'success', refused: 'failed', lapsed: 'ended' },
  invitation: { open: 'progress', accepted: 'success', revoked: 'ended', expired: 'ended' },
  support_access: { open: 'progress', ended: 'ended', expired: 'ended' },
  api_key: { active: 'success', revoked: 'ended', expired: 'ended' },
  identity_check: { approved: 'success', rejected: 'failed', unclear: 'action' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, StateTone>>>>;

type Tones = Readonly<Record<string, Readonly<Record<string, StateTone>>>>;
const all: Tones = { ...furtherTones, ...stateTones };
/** A word that two of them use means the same of both, but for those that a test lists. */
const byWord: Readonly<Record<string, StateTone>> = Object.assign({}, ...Object.values(all));

/** The tone of a state; `resource`, as records name it, tells apart what one word means of two. */
export const toneOfState = (state: string, resource?: string): StateTone =>
  (resource === undefined ? undefined : all[resource]?.[state]) ?? byWord[state] ?? 'ended';
