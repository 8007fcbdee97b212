import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/**
 * Payments that the bank has told by its own id of them, each once (rules/received-money#2). An erasure alone changes a
 * row (3 there).
 */
export const receivedMoney = table({
  name: 'received_money',
  key: ['id'],
  unique: { provider: ['provider_id'] },
  sets: ['order_id'],
  frozen: [
    'provider_id',
    'order_id',
    'amount',
    'sender_name',
    'sender_last4',
    'remittance',
    'created_at',
  ],
  columns: {
    /** Money without an order of its own stands in suspense with it as its source. */
    id: column.uuid,
    /** The bank's own id of the payment. */
    provider_id: column.text,
    /** The order that it names; null: none of this Tenant. */
    order_id: orNull(column.uuid),
    amount: column.cents,
    sender_name: orNull(column.text),
    sender_last4: orNull(column.text),
    /** The sender's text, without numbers of accounts and addresses. */
    remittance: orNull(column.text),
    created_at: column.instant,
  },
  // The unique key decides between two processes.
  proof: 'none',
  revised: false,
});
export type ReceivedMoneyRow = RowOf<typeof receivedMoney>;
