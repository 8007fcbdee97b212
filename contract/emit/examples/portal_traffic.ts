import { errorRemedies } from '../../resources/error_remedies.ts';
import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { shown, shownExamples, storyRecords } from './records.ts';
import { at, further, ids, tenant } from './story.ts';

/** Examples of requests and deliveries, as the portal shows them. */

const attempt: Shown<'Attempt'> = {
  number: 1,
  at: at('15:05:21'),
  url: 'https://shop.example.com/webhooks',
  request_headers: { 'content-type': 'application/json' },
  request_body: '{"id":"evt_…","object":"event"}',
  response_status: 200,
  response_headers: { 'content-length': '0' },
  response_body: '',
  duration_ms: 84,
  error: null,
};

const apiRequest: Shown<'ApiRequest'> = {
  id: ids.request,
  at: at('15:05:00'),
  method: 'POST',
  path: '/v1/payments',
  status: 422,
  code: 'insufficient_funds',
  param: 'amount',
  keyed: true,
  user_agent: 'tenant-payments-sdk/1.0.0',
  refused_in_production: null,
  replayed: false,
  duration_ms: 6,
  request_body: null,
  response_body: null,
};

const retrying: Shown<'PortalEvent'>['delivery'] = {
  status: 'retrying',
  attempts: 1,
  last_attempt_at: at('15:05:21'),
  last_response_status: 500,
  next_attempt_at: at('15:06:21'),
};
const books = { endpoint_id: further, endpoint_name: 'Books' };

const eventTypeRow: Shown<'EventTypeRow'> = {
  type: 'payment.canceled',
  resource: 'payment',
  when: [{ move: 'cancel', from: ['requires_confirmation'], to: 'canceled', by: ['tenant'] }],
};

const { order_reference, amount, status, created_at } = storyRecords.payment;
const label = order_reference ?? '';
const face: Shown<'Face'> = {
  id: ids.payment,
  resource: 'payment',
  party: { id: ids.ana, display_name: 'Ana Reyes' },
  other: { id: ids.cafe, display_name: 'Corner Cafe' },
  label,
  institution_name: null,
  amount,
  status,
  at: created_at,
};
const searchHit: Shown<'SearchHit'> = { ...face, title: label };

const recordPage: Shown<'RecordPage'> = {
  id: ids.payment,
  resource: 'payment',
  record: shown('payment', 'requires_confirmation'),
  status: 'requires_confirmation',
  moves: [
    {
      name: 'cancel',
      to: 'canceled',
      by: ['tenant'],
      event: 'payment.canceled',
      simulate: null,
      failure_codes: [],
    },
  ],
  timeline: [
    {
      kind: 'event',
      at: at('15:05:00'),
      id: ids.event,
      type: 'payment.created',
      request_id: ids.request,
      delivery_status: 'delivered',
    },
    {
      kind: 'entry',
      at: at('15:05:00'),
      id: ids.transaction,
      account_id: ids.anaAccount,
      pocket: 'available',
      delta: -1250,
      step: 'payment_held',
    },
    {
      kind: 'request',
      at: at('15:05:00'),
      id: ids.request,
      method: 'POST',
      path: '/v1/payments',
      status: 201,
    },
  ],
  bank_order: null,
  related: [
    { resource: 'customer', id: ids.ana },
    { resource: 'session', id: ids.session },
  ],
};

const notYet = { done: false, at: null };

const overview: Shown<'Overview'> = {
  money: {
    days: [
      {
        day: '2026-03-02',
        payments: 412_50,
        loads: 300_00,
        withdrawals: 120_00,
        refunds: 18_00,
      },
    ],
    held: 8_450_00,
  },
  payments: { completed: 212, failed: 3, is_all: true },
  p95_ms: 21,
  requests: [{ hour: at('15:00:00'), ok: 41, refused: 2, failed: 0, p50_ms: 6, p95_ms: 21 }],
  deliveries: [{ hour: at('15:00:00'), delivered: 38, failed: 1 }],
  delivered_to: [
    { endpoint_id: null, endpoint_name: null, delivered: 30, failed: 1 },
    { ...books, delivered: 8, failed: 0 },
  ],
  clock: { now: at('15:05:30'), real_now: at('15:05:30') },
  endpoint: {
    url: 'https://shop.example.com/webhooks',
    enabled: true,
    last_success_at: at('15:05:21'),
    failure_streak: 0,
  },
  checklist: {
    token_fetched: { done: true, at: at('14:00:10') },
    endpoint_set: { done: true, at: at('14:10:00') },
    first_event_delivered: { done: true, at: at('14:12:00') },
    first_payment_completed: notYet,
    clock_moved: notYet,
    went_live: notYet,
  },
  refusals: [
    {
      code: 'insufficient_funds',
      what_to_do: errorRemedies.insufficient_funds,
      count: 2,
      last_at: at('15:05:00'),
      request_id: ids.request,
    },
  ],
};

export const trafficRecords: PortalRecords = {
  Attempt: attempt,
  ApiRequest: apiRequest,
  PortalEvent: {
    ...shownExamples.Event,
    request_id: ids.request,
    sample: false,
    delivery: retrying,
    further_deliveries: [{ ...books, ...retrying }],
  },
  Overview: overview,
  StreamMessage: {
    id: `1772463921000000.requests.${ids.request}`,
    event: 'requests',
    data: apiRequest,
  },
  RecordPage: recordPage,
  PossibleMove: {
    event: 'session.completed',
    by: ['customer'],
    failure_codes: [],
    effect: {
      postings: [
        {
          from: `${ids.anaAccount}.pending_outgoing`,
          to: `${ids.cafeAccount}.available`,
          amount: 1250,
        },
      ],
      changes: [
        {
          object: 'payment',
          id: ids.payment,
          field: 'status',
          before: 'requires_confirmation',
          after: 'completed',
        },
      ],
    },
    obstacle: null,
  },
  SimulatedMove: {
    object: 'simulation',
    event: 'session.completed',
    object_id: ids.payment,
    status: 'accepted',
    request_id: ids.request,
  },
  TestDelivery: { event_id: ids.event, attempt },
  DeliveryCounts: {
    events: 240,
    since: at('09:12:00'),
    pending: 0,
    retrying: 3,
    delivered: 235,
    failed: 2,
    none: 0,
    next_attempt_at: at('15:06:21'),
    missed: { failed: 2, never_sent: 0 },
  },
  EventTypeRow: eventTypeRow,
  // Cut: the whole schema is as long as that of the API.
  EventTypePage: {
    ...eventTypeRow,
    schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    example: shownExamples.Event,
    typescript: 'export interface PaymentCanceled {\n  id: string;\n}\n',
  },
  SearchHit: searchHit,
  TenantHit: { ...searchHit, ...tenant },
  Face: face,
};

export const trafficCalls: PortalCalls = {
  createSampleEvent: { body: { type: 'payment.completed' }, reply: shownExamples.Event },
  resendEvent: { path: { id: ids.event }, body: {} },
  getEventType: { path: { type: 'payment.canceled' } },
  recoverEvents: { body: { since: at('12:00:00') } },
  testWebhookEndpoint: { body: { type: 'payment.completed' } },
  getRecord: { path: { id: ids.payment } },
  listPossibleMoves: { path: { id: ids.payment } },
  simulateMove: {
    path: { event: 'session.completed' },
    body: { object_id: ids.payment, failure_code: null },
  },
  openStream: { query: { types: 'requests,events' } },
  searchRecords: { query: { q: label } },
  searchTenants: { query: { q: 'ana lo' } },
  listFaces: { query: { ids: ids.payment } },
  listEvents: { query: { delivery_status: 'failed' } },
  listEventAttempts: { path: { id: ids.event } },
  listRequests: { query: { request_id: ids.request } },
};
