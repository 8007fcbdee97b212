import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { customerMessages } from '../messages/table.ts';
import type { NoticeKind } from './kinds.ts';
import { notices } from './table.ts';

/** 12 CFR 1005.13(b): evidence of compliance is kept for two years. */
const keptSeconds = 2 * 366 * 86_400;

export interface NewNotice {
  readonly customerId: string;
  readonly kind: NoticeKind;
  /** The notice within its kind: of a dispute, the letter. */
  readonly detail?: string;
  /** The record that it is about: its words are made of it when it is sent. */
  readonly sourceId: string;
}

/**
 * Gives a customer a notice, once this command has committed: by mail, in the words that `noticeTexts` makes of its
 * record; to who withdrew the consent to electronic records a person gives it on paper. It reads no row and calls nobody; `noticeEffects` learns when it was sent.
 * @returns its id
 */
export function sendNotice(
  work: Work,
  { customerId: customer_id, kind, detail, sourceId: source_id }: NewNotice,
): string {
  const id = work.newId();
  const kept_until = addSeconds(work.now, keptSeconds);
  work.create(notices, {
    id,
    customer_id,
    kind,
    detail: detail ?? null,
    source_id,
    status: 'waiting',
    rendered_sealed: null,
    address_sealed: null,
    sent_at: null,
    task_at: null,
    task_reason: null,
    done_at: null,
    done_by: null,
    done_note: null,
    created_at: work.now,
    kept_until,
  });
  work.scheduleJob('notice_end', id, kept_until);
  work.create(customerMessages, {
    id,
    customer_id,
    kind,
    channel: 'email',
    locale: null,
    masked: null,
    email: null,
    mobile_hmac: null,
    mobile_sealed: null,
    facts: null,
    status: 'waiting',
    provider_id: null,
    reason: null,
    expires_at: null,
    created_at: work.now,
    sent_at: null,
    ended_at: null,
  });
  work.scheduleJob('customer_message', id, work.now);
  return id;
}
