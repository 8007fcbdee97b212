import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, ids, tenant, uuid } from './story.ts';

/** How the deployment does, as the staff of the platform see it. */

const process = uuid('c1');

const job: Shown<'Operations'>['jobs']['oldest'] = {
  ...tenant,
  job: 'payment_deadline',
  does: 'ends an unconfirmed payment without a session',
  record_id: ids.payment,
  due_at: at('15:05:00'),
  next_try_at: at('15:06:04'),
};

const proof: Shown<'KeptProof'> = {
  id: uuid('c2'),
  object: 'ledger_proof',
  at: at('09:00:12'),
  cause: 'night',
  ok: true,
  checked: 48_211,
  found: 0,
  violations: [],
  duration_ms: 1_840,
  process_id: process,
  since_checkpoint: null,
  acknowledgements: [],
};

const alarm: Shown<'Alarm'> = {
  id: uuid('c3'),
  object: 'alarm',
  alarm: 'dispute_result',
  ...tenant,
  record_id: ids.dispute,
  message: 'an investigation has no result in time',
  means: 'the day for the determination of a dispute has passed',
  remedy: 'a reviewer decides it',
  facts: {},
  process_id: process,
  count: 1,
  first_at: at('14:00:00'),
  last_at: at('14:00:00'),
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
};

export const operationsRecords: PortalRecords = {
  Attention: {
    object: 'attention',
    items: [
      {
        kind: 'disputes_due',
        count: 1,
        is_more: false,
        is_trouble: false,
        first: [{ id: ids.dispute, name: null, at: at('23:59:59') }],
      },
    ],
  },
  PlatformAttention: {
    object: 'platform_attention',
    items: [{ kind: 'alarms', count: 2, is_more: false, is_trouble: true, first: [] }],
  },
  DeskSummary: {
    object: 'desk_summary',
    kinds: [{ resource: 'disputes', waiting: 3, is_more: false, late: 1, oldest_seconds: 259_200 }],
    due: ['02', '03', '04', '05', '06', '07', '08'].map((day, index) => ({
      day: `2026-03-${day}`,
      count: index === 1 ? 2 : 0,
    })),
  },
  Operations: {
    object: 'operations',
    at: at('15:05:30'),
    worries: [],
    processes: [
      {
        id: process,
        roles: ['api', 'worker'],
        version: '1.0.0',
        started_at: at('14:00:00'),
        seen_at: at('15:05:29'),
        state: 'live',
        is_answering: true,
      },
    ],
    jobs: {
      waiting: 12,
      is_all: true,
      overdue: 0,
      failing: 1,
      late_seconds: 0,
      oldest: job,
      queues: [
        {
          job: 'payment_deadline',
          does: 'ends an unconfirmed payment without a session',
          waiting: 12,
          overdue: 0,
          failing: 1,
          oldest: job,
        },
      ],
    },
    deliveries: {
      waiting: 1,
      is_all: true,
      overdue: 0,
      retrying: 1,
      late_seconds: 0,
      oldest_seconds: 42,
      oldest: {
        ...tenant,
        event_id: ids.event,
        waiting_since: at('15:04:48'),
        next_try_at: at('15:06:00'),
      },
    },
    database: { in_use: 1, idle: 3, waiting: 0 },
    proofs: { tenants: 3, proven: 3, violated: 0, not_proven: 0, oldest_at: at('09:00:12') },
  },
  KeysStatus: {
    object: 'keys_status',
    at: at('15:05:30'),
    rings: [
      {
        name: 'SEALING_KEY',
        keys: [{ id: '20260302', first: true, values: 118, may_be_dropped: false, revoked: false }],
        nameless: 0,
        missing: [],
        next: 'nothing to do',
      },
    ],
    reseal: { tenants_waiting: 0, resealed: 0, unopened: 0 },
  },
  KeptProof: proof,
  Alarm: alarm,
  AlarmCount: { object: 'alarm_count', open: 1 },
  TenantProofs: {
    object: 'tenant_proofs',
    ...tenant,
    last: proof,
    days: [
      { day: '2026-03-01', state: 'missing' },
      { day: '2026-03-02', state: 'ok' },
    ],
  },
};

export const operationsCalls: PortalCalls = {
  listAlarms: { query: { status: 'open' } },
  acknowledgeAlarm: {
    path: { id: alarm.id },
    body: { note: 'The case was decided by hand.' },
  },
  listTenantProofs: { query: { tenant_id: tenant.tenant_id } },
  listLedgerProofs: { query: { ok: false } },
};
