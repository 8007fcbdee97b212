import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { messageChannels, messageStates } from '@tenant-payments/contract/resources/messages.ts';
import { Notice } from '@tenant-payments/contract/resources/notices.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A message to a customer, without what it says (rules/messages#8). */
export const CustomerMessage = Closed({
  object: Type.Literal('customer_message'),
  id: Id('The message'),
  customer_id: Id('The customer'),
  template: Type.String({ description: 'What it tells, such as `code` or `pin_changed`' }),
  channel: OneOf(messageChannels, 'How it went out'),
  to: Nullable(Type.String({ description: 'Masked; null: erased' })),
  locale: Nullable(OneOf(['en', 'es'], 'Null: it was in both languages')),
  state: OneOf(messageStates),
  reason: Nullable(
    Type.String({ description: 'Why it did not arrive: a code of its provider, or `not_taken`' }),
  ),
  created_at: Instant('When it was written'),
  sent_at: Nullable(Instant('When its provider took it')),
  ended_at: Nullable(Instant('When it arrived, or it was known that it will not')),
});
export type CustomerMessage = Static<typeof CustomerMessage>;

export const listCustomerMessages = portalEndpoint({
  id: 'listCustomerMessages',
  method: 'GET',
  path: '/portal/api/customers/:id/messages',
  summary: 'List what a customer was told by mail and text message, newest first',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  params: Closed({ id: IdInput('Customer identifier') }),
  query: Closed({ ...pageQuery }),
  success: { status: 200, schema: List(CustomerMessage) },
  errors: ['parameter_invalid', 'not_found'],
});

export const NoticeWords = Closed({
  object: Type.Literal('notice_words'),
  notice: Notice,
  give_today: Type.Boolean({
    description:
      'A person must give it on the day on which it is read, from which days in its words count',
  }),
  said: Nullable(
    Closed({
      to: Type.String({ description: 'The address that it was sent to' }),
      subject: Type.String(),
      text: Type.String(),
      html: Type.String({ description: 'As the mail showed it' }),
    }),
  ),
});
export type NoticeWords = Static<typeof NoticeWords>;

export const getNotice = portalEndpoint({
  id: 'getNotice',
  method: 'GET',
  path: '/portal/api/notices/:id',
  summary: 'Get a notice with its words and its address, as it was sent or is to be given',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
  access: 'letter',
  params: Closed({ id: IdInput('The notice') }),
  success: { status: 200, schema: NoticeWords },
  errors: ['not_found'],
});
