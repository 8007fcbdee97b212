import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';

/** The notices that the law makes us give a customer in writing (rules/messages#9). */
export const noticeKinds = ['dispute_letter', 'statement_ready', 'terms_changed'] as const;

/** `task`: a person must give it. `done`: a person has. */
export const noticeStatuses = ['waiting', 'sent', 'task', 'done'] as const;

/** Why a person must give it; `paper`: the customer takes nothing by mail. */
export const noticeTaskReasons = ['bounced', 'undeliverable', 'opted_out', 'paper'] as const;

/** A notice as a reviewer sees it: its words are read apart, and leave an access record. */
export const Notice = Closed({
  object: Type.Literal('notice'),
  id: Id('Identifier of the notice'),
  customer_id: Id('The customer'),
  kind: OneOf(noticeKinds),
  detail: Nullable(Type.String({ description: 'Which of its kind: of a dispute, the letter' })),
  source_id: Nullable(Id('The record that it is about, where it has an identifier')),
  status: OneOf(noticeStatuses),
  task_reason: Nullable(OneOf(noticeTaskReasons, 'Why a person must give it')),
  created_at: Instant('When it was written'),
  sent_at: Nullable(Instant('When it was given; its clocks run from here')),
  task_at: Nullable(Instant('Since when a person must give it')),
  done_at: Nullable(Instant('When a person gave it')),
  done_note: Nullable(Type.String({ description: 'How that person gave it' })),
});
export type Notice = Static<typeof Notice>;
