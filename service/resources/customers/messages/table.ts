import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, table, words } from '@tenant-payments/engine/table.ts';
import Type from 'typebox';
import { Facts, type MessageKind, messageKinds } from './texts.ts';

/**
 * What a customer is told, one row for each recipient. A command only writes the row; the job
 * `customer_message` hands it over after the commit (rules/records#21).
 */
export const customerMessages = table({
  name: 'customer_messages',
  key: ['id'],
  frozen: ['customer_id', 'kind', 'channel', 'created_at'],
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    kind: words<MessageKind>(messageKinds),
    channel: words(['email', 'mobile']),
    /** The recipient as it was when the message was written; emptied once it is over. */
    email: orNull(column.text),
    mobile_hmac: orNull(column.text),
    mobile_sealed: orNull(column.text),
    /** JSON of what the text names; emptied once it is over. */
    facts: orNull(column.text),
    /** Given up: its provider did not take it for three days. */
    status: words(['waiting', 'sent', 'given_up']),
    created_at: column.instant,
    sent_at: orNull(column.instant),
  },
});

/** Each kind of message has those that its text names. */
export const messageFacts = jsonColumn('customer_messages.facts', 'text', Type.Partial(Facts));
