import { messageChannels } from '@tenant-payments/contract/resources/messages.ts';
import { noticeKinds } from '@tenant-payments/contract/resources/notices.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import Type from 'typebox';
import { messageLocales } from '../../../rails/messages.ts';
import type { NoticeKind } from '../notices/kinds.ts';
import { Facts, type MessageKind, messageKinds } from './texts.ts';

/**
 * The messages to customers, one row for each recipient. A command only writes the row; the job `customer_message`
 * hands it over after the commit (rules/records#21). A code and a link are handed over by the process that has made
 * them, and stand in no row.
 */
export const customerMessages = table({
  name: 'customer_messages',
  key: ['id'],
  frozen: ['customer_id', 'kind', 'channel', 'created_at', 'locale', 'expires_at'],
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    kind: words<MessageKind | NoticeKind>([...messageKinds, ...noticeKinds]),
    channel: words(messageChannels),
    /** The recipient's language; null: both. */
    locale: orNull(words(messageLocales)),
    /** The recipient as it may be shown; 1.0 has not written it. */
    masked: orNull(column.text),
    /** The recipient as it was when the message was written; emptied once it is over. */
    email: orNull(column.text),
    mobile_hmac: orNull(column.text),
    mobile_sealed: orNull(column.text),
    /** JSON of what the text names; emptied once it is over. */
    facts: orNull(column.text),
    /** Given up, as 1.0 says it: its provider did not take it for three days. */
    status: words([
      'waiting',
      'sent',
      'delivered',
      'bounced',
      'undeliverable',
      'opted_out',
      'given_up',
    ]),
    /** The provider's own id of it. */
    provider_id: orNull(column.text),
    /** Why it did not arrive. */
    reason: orNull(column.text),
    /** From then on it tells nobody anything. */
    expires_at: orNull(column.instant),
    created_at: column.instant,
    sent_at: orNull(column.instant),
    ended_at: orNull(column.instant),
  },
});
export type CustomerMessageRow = RowOf<typeof customerMessages>;

/** Each kind of message has those that its text names. */
export const messageFacts = jsonColumn('customer_messages.facts', 'text', Type.Partial(Facts));
