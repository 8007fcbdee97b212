import { Cents } from '@tenant-payments/contract/core/money.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { instructionKinds, refusal } from '@tenant-payments/contract/resources/bank_messages.ts';
import {
  bankOrderLifecycle,
  bankWords,
  cancellations,
} from '@tenant-payments/contract/resources/bank_orders.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { shownDeliveryStatuses } from '../traffic/events.ts';
import { Entry } from './ledger.ts';

/** Any record by its id, with what has happened to it (rules/operations#54). */

const Move = Closed({
  name: Type.String(),
  to: Nullable(Type.String({ description: 'Null where the status does not change' })),
  by: Type.Array(Type.String(), { description: 'Who may cause it' }),
  event: Nullable(Type.String({ description: 'Type of its event' })),
  simulate: Nullable(Type.String({ description: 'The sandbox event that simulates it' })),
  failure_codes: Type.Array(Type.String(), { description: 'That the sandbox event takes' }),
});

const at = Instant("On the Tenant's clock; of a request in real time");

export const TimelineRow = Type.Union([
  Closed({
    kind: Type.Literal('event'),
    at,
    id: Id('Event'),
    type: Type.String(),
    request_id: Nullable(Id('The request that caused it')),
    delivery_status: OneOf(shownDeliveryStatuses),
  }),
  Closed({
    kind: Type.Literal('entry'),
    at,
    id: Entry.properties.id,
    account_id: Entry.properties.account_id,
    pocket: Entry.properties.pocket,
    delta: Entry.properties.delta,
    step: Entry.properties.step,
  }),
  Closed({
    kind: Type.Literal('request'),
    at,
    id: Id('Request'),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer({ description: 'HTTP status of the reply' }),
  }),
]);
export type TimelineRow = Static<typeof TimelineRow>;

export const RelatedRecord = Closed({ resource: Type.String(), id: Id('Record') });
export type RelatedRecord = Static<typeof RelatedRecord>;

/** A record's order at the bank (rules/bank-orders#1). */
export const BankOrder = Closed({
  id: Id('The order, as the bank knows it'),
  kind: OneOf(instructionKinds),
  amount: Cents,
  status: OneOf(
    bankOrderLifecycle.states,
    'unclear: a hand-over got no clear answer; sent: the bank has taken it; closing: its record has ended, and the bank may still execute it',
  ),
  provider_id: Nullable(Type.String({ description: "The bank's own id of it" })),
  word: Nullable(
    OneOf(bankWords, "The bank's last word; null: it has said none, or the record says it"),
  ),
  cancel: Nullable(
    OneOf(
      cancellations,
      'Of an order whose record has ended first: the bank is asked to cancel it, was asked, or takes no such call',
    ),
  ),
  asked_at: Nullable(Instant('Since when the bank is asked how it stands')),
  sent_at: Nullable(Instant('When the bank took it')),
  expires_at: Nullable(Instant('Until when a request may be answered; null: a transfer')),
  ...refusal,
});
export type BankOrder = Static<typeof BankOrder>;

export const RecordPage = Closed({
  id: Id('The record'),
  resource: Type.String({ description: 'Its kind; also `event` and `request`' }),
  record: Type.Record(Type.String(), Type.Unknown(), { description: 'As its list shows it' }),
  status: Nullable(Type.String({ description: 'Null where it has none' })),
  moves: Type.Array(Move, { description: 'Of its lifecycle, possible from its status' }),
  timeline: Type.Array(TimelineRow, {
    description:
      'Newest first; at most 200 events, and as many entries. A request stands below its events',
  }),
  bank_order: Nullable(BankOrder),
  related: Type.Array(RelatedRecord, {
    description: 'Records that it names, or that name it; at most 20 of each that name it',
  }),
});
export type RecordPage = Static<typeof RecordPage>;

export const getRecord = portalEndpoint({
  id: 'getRecord',
  method: 'GET',
  path: '/portal/api/records/:id',
  summary: 'Get any record by its id, with its moves, its timeline and its relations',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  personal: 'record',
  access: 'record',
  params: Closed({ id: IdInput('Identifier of any kind') }),
  success: { status: 200, schema: RecordPage },
  errors: ['not_found'],
});
