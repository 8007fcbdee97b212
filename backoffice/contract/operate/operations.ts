import { Closed, Id, Instant, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** How the deployment does now (rules/operations#64). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Seconds = (description: string) => Type.Number({ minimum: 0, description });

/** Rows of a queue that are read at most; what waits behind them is due later. */
export const mostCounted = 10_000;

/** When to worry: what the page shows in red, each with a sentence of its own (rules/operations#66). */
export const worries = [
  'no_worker',
  'no_api',
  'process_lost',
  'jobs_late',
  'deliveries_late',
  'event_undelivered',
  'database_busy',
  'ledger_violated',
  'ledger_not_proven',
] as const;
export type Worry = (typeof worries)[number];

export const LiveProcess = Closed({
  id: Id('Made anew at each start'),
  roles: Type.Array(OneOf(['api', 'worker'])),
  version: Nullable(Type.String({ description: 'Its release; null: it did not say' })),
  started_at: Instant('In real time'),
  seen_at: Instant('When it last said that it lives'),
  state: OneOf(['live', 'lost'], 'lost: not seen for 10 s; it is forgotten after 60 s'),
  is_answering: Type.Boolean({ description: 'It has made this reply' }),
});

const waitingOf = {
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
};

export const OldestJob = Closed({
  ...waitingOf,
  job: Type.String({ description: 'Its name' }),
  does: Type.String({ description: 'The same in words' }),
  record_id: Nullable(Id('The record that it is about, where that has an id')),
  due_at: Instant('When it fell due, in real time'),
  next_try_at: Instant('When it is tried next, in real time'),
});

const JobQueue = Closed({
  job: Type.String({ description: 'The name of the jobs' }),
  does: Type.String({ description: 'The same in words' }),
  waiting: Count('Jobs of this name'),
  overdue: Count('Of them, those that should run now'),
  failing: Count('Of them, those that failed and wait for another try'),
  oldest: Nullable(OldestJob),
});

const Jobs = Closed({
  waiting: Count(`Jobs, counted up to ${mostCounted}`),
  is_all: Type.Boolean({ description: 'Every job is counted' }),
  overdue: Count('Those that should run now'),
  failing: Count('Those that failed and wait for another try'),
  late_seconds: Seconds('How late the most overdue one is'),
  oldest: Nullable(OldestJob),
  queues: Type.Array(JobQueue, { description: 'By name: what fails and is late first' }),
});

const Deliveries = Closed({
  waiting: Count(`Events that are to be sent, counted up to ${mostCounted}`),
  is_all: Type.Boolean({ description: 'Every event is counted' }),
  overdue: Count('Those whose attempt should be made now'),
  retrying: Count('Those that were attempted before'),
  late_seconds: Seconds('How late the most overdue attempt is'),
  oldest_seconds: Seconds("How long the oldest event waits, on its Tenant's clock"),
  oldest: Nullable(
    Closed({
      ...waitingOf,
      event_id: Id('The event'),
      waiting_since: Instant('Since its first attempt, or since that was due; in real time'),
      next_try_at: Instant('In real time'),
    }),
  ),
});

const Proofs = Closed(
  {
    tenants: Count('Tenants that are older than a day'),
    proven: Count('Of them, those whose ledger was proven within 26 hours'),
    violated: Count('Tenants whose last proof found a violation'),
    not_proven: Count('Tenants older than a day without a proof within 26 hours'),
    oldest_at: Nullable(Instant('The oldest of the last proofs of each Tenant')),
  },
  'The nightly proofs of the ledgers',
);

export const Operations = Closed({
  object: Type.Literal('operations'),
  at: Instant('Real time of the reply'),
  worries: Type.Array(OneOf(worries)),
  processes: Type.Array(LiveProcess, { description: 'Oldest first' }),
  jobs: Jobs,
  deliveries: Deliveries,
  database: Closed(
    {
      in_use: Count('Connections'),
      idle: Count('Connections'),
      waiting: Count('Queries that wait for a connection'),
    },
    'The pool of the process that answers',
  ),
  proofs: Proofs,
});
export type Operations = Static<typeof Operations>;

export const getOperations = portalEndpoint({
  id: 'getOperations',
  method: 'GET',
  path: '/portal/api/operations',
  summary: 'Get the processes, the queues with what is oldest, and the proofs of the ledgers',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  success: { status: 200, schema: Operations },
  errors: [],
});
