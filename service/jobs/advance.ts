import { longestAdvanceSeconds } from '@tenant-payments/contract/sandbox/clock.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { sleep } from '@tenant-payments/engine/loop/pulse.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { earlier, epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../service.ts';
import type { Dispatcher } from '../webhooks/dispatch/dispatcher.ts';
import {
  type AdvanceState,
  type AlsoAtBegin,
  type ClockRow,
  openAdvanceStore,
} from './advance_store.ts';
import type { JobLoop } from './job_loop.ts';

/** Another process takes over after this; a live holder renews, however long a step takes. */
const defaultLeaseMs = 10_000;
/** The holder renews when this part of the lease has passed. */
const renewAfter = 0.2;
const resumeEveryMs = 1_000;
const retryMs = 250;
/** How long the caller waits at most (rules/clock#16). */
const defaultWaitMs = 60_000;
/** How often to look for jobs that another process holds. */
const lookEveryMs = 20;
/**
 * How long a clock waits at one instant for deliveries, in real time: a Tenant that goes on working
 * meanwhile makes new events there, perhaps faster than its receiver takes them.
 */
const defaultDeliveriesWaitMs = 5_000;

/** The reply of `GET /portal/api/clock`. */
export interface ClockAnswer {
  readonly now: Instant;
  readonly real_now: Instant;
  /** Jobs and webhook attempts that the current advance, or the last one, has run. */
  readonly fired: number;
  /** Jobs and webhook attempts that are still due before its target. */
  readonly pending: number;
}

export interface Advance {
  /** Continues advances whose holder died. Only a worker does. */
  start(): void;
  clock(tenantId: string): Promise<ClockAnswer>;
  /**
   * Moves the clock forward, step by step, and runs what is due at each. Returns when the target is
   * reached, or after 60 s while the advance continues.
   * @param also runs in the transaction that begins it
   * @throws ApiError sandbox_only; parameter_invalid (back, or too far); invalid_state (another runs)
   */
  advance(
    tenantId: string,
    by: { seconds: number } | { to: Instant },
    also?: AlsoAtBegin,
  ): Promise<ClockAnswer>;
  stop(): Promise<void>;
}

type Needs = Pick<Service, 'db' | 'clocks' | 'log' | 'environment'>;

/** No clock goes further: the API writes years with four digits. */
const lastMs = Date.UTC(9000, 0, 1);

/** The target of an advance. @throws ApiError parameter_invalid */
function targetOf(now: Instant, by: { seconds: number } | { to: Instant }): Instant {
  const targetMs = 'to' in by ? Date.parse(by.to) : epochMs(now) + by.seconds * 1000;
  const param = 'to' in by ? 'to' : 'seconds';
  const refuse = (reason: string, message?: string) =>
    fail('parameter_invalid', { param, details: { reason, now }, ...(message && { message }) });
  // A leap second is a valid date-time of the API, but no JavaScript time.
  if (Number.isNaN(targetMs)) throw refuse('format');
  const aheadMs = targetMs - epochMs(now);
  if (aheadMs < 0)
    throw refuse('past', `the clock says ${now} and moves forward only: ${param} is before that`);
  if (aheadMs > longestAdvanceSeconds * 1000 || targetMs > lastMs) throw refuse('too_far');
  return instantOf(targetMs);
}

/** When the next job or delivery is due before the target, in real time; null: none. */
function firstWake({ jobWake, deliveryWake }: AdvanceState): Instant | null {
  if (jobWake === null || deliveryWake === null) return jobWake ?? deliveryWake;
  return earlier(jobWake, deliveryWake);
}

/** Moves tenants' clocks: one holder at a time, from due time to due time (rules/clock#17). */
export function openAdvance(
  { db, clocks, log, environment }: Needs,
  parts: { readonly jobs: JobLoop; readonly dispatcher: Dispatcher },
  {
    waitMs = defaultWaitMs,
    leaseMs = defaultLeaseMs,
    deliveriesWaitMs = defaultDeliveriesWaitMs,
  } = {},
): Advance {
  const { jobs, dispatcher } = parts;
  const store = openAdvanceStore(db);
  const active = new Map<string, Promise<void>>();
  const fired = new Map<string, number>();
  /** The real time from which each moving clock has stood at its present instant. */
  const stood = new Map<string, { readonly at: Instant; readonly sinceMs: number }>();
  const instant = (aheadMs = 0) => instantOf(clocks.realNow() + aheadMs);
  const loop = runLoop({
    pauseMs: () => resumeEveryMs,
    turn: resume,
    failure: 'advances without a holder cannot be read',
    log,
  });

  const count = (tenantId: string, more: number) =>
    fired.set(tenantId, (fired.get(tenantId) ?? 0) + more);

  /** Runs what is due where the clock stands. @returns how much; 0 when other processes hold it */
  async function runDueAt(tenantId: string, state: AdvanceState): Promise<number> {
    const here = instantOf(epochMs(state.clock_at) - state.clock_offset_ms);
    const ran =
      state.jobWake !== null && state.jobWake <= here ? await jobs.runDueJobsOfStep(tenantId) : 0;
    // Events of these jobs are delivered in the next step.
    if (ran > 0 || state.deliveryWake === null || state.deliveryWake > here) return ran;
    return dispatcher.deliverDue(tenantId);
  }

  /** Waits for a step's work and renews the lease meanwhile. @returns the lease; null: it is lost */
  async function holdDuring(tenantId: string, held: Instant, work: Promise<void>) {
    let lease = held;
    for (;;) {
      const leftMs = epochMs(lease) - clocks.realNow() - leaseMs * (1 - renewAfter);
      const early = new AbortController();
      const patience = sleep(Math.max(0, leftMs), early.signal).then(() => false);
      const ended = work.then(() => true);
      const isOver = await Promise.race([ended, patience]).finally(() => early.abort());
      if (isOver) return lease;
      const renewed = instant(leaseMs);
      if (!(await store.hold(tenantId, lease, renewed, instant()))) return ended.then(() => null);
      lease = renewed;
    }
  }

  /** Reads what is next; deliveries no longer hold a clock that has waited long enough for them. */
  async function lookAhead(tenantId: string): Promise<AdvanceState | null> {
    const before = stood.get(tenantId);
    const nowMs = clocks.realNow();
    const isLong = before !== undefined && nowMs - before.sinceMs > deliveriesWaitMs;
    const state = await store.look(tenantId, isLong ? 'ahead' : 'all');
    if (state && state.clock_at !== before?.at)
      stood.set(tenantId, { at: state.clock_at, sinceMs: nowMs });
    return state;
  }

  /** @returns the renewed lease; null when the advance has ended or another process holds it */
  async function stepOn(tenantId: string, held: Instant): Promise<Instant | null> {
    const state = await lookAhead(tenantId);
    if (!state) return null;
    const wake = firstWake(state);
    if (wake === null) {
      await store.finish(tenantId, held, clocks.realNow());
      return null;
    }
    const at = instantOf(epochMs(wake) + state.clock_offset_ms);
    const lease = instant(leaseMs);
    if (at > state.clock_at) return (await store.step(tenantId, at, held, lease)) ? lease : null;
    const work = runDueAt(tenantId, state).then(async (ran) => {
      count(tenantId, ran);
      if (ran === 0) await sleep(lookEveryMs);
    });
    return holdDuring(tenantId, held, work);
  }

  /** Repeats a step that fails: one lost connection must not stop the clock. */
  async function tryStep(tenantId: string, held: Instant): Promise<Instant | null> {
    try {
      return await stepOn(tenantId, held);
    } catch (error) {
      log.error({ tenant_id: tenantId, fault: faultFacts(error) }, 'a step of an advance failed');
      await sleep(retryMs);
      return held;
    }
  }

  async function run(tenantId: string, lease: Instant): Promise<void> {
    let held: Instant | null = lease;
    while (held !== null && !loop.stopping.aborted) held = await tryStep(tenantId, held);
    // After an orderly stop, the next holder need not wait for the lease to end.
    if (held !== null) await store.hold(tenantId, held, instant(), instant());
    stood.delete(tenantId);
    jobs.forget();
    dispatcher.wake();
  }

  /** Never rejects: an advance that failed is continued when its lease has ended. */
  function begin(tenantId: string, lease: Instant): Promise<void> {
    const running = run(tenantId, lease)
      .catch((error: unknown) =>
        log.error({ tenant_id: tenantId, fault: faultFacts(error) }, 'an advance failed'),
      )
      .finally(() => active.delete(tenantId));
    active.set(tenantId, running);
    return running;
  }

  async function resume(): Promise<undefined> {
    for (const tenantId of await store.abandoned(instant())) {
      const lease = instant(leaseMs);
      if (active.has(tenantId)) continue;
      if (await store.hold(tenantId, null, lease, instant())) void begin(tenantId, lease);
    }
  }

  const nowOf = (tenantId: string, row: ClockRow) => clocks.at(tenantId, row).now;

  async function clock(tenantId: string): Promise<ClockAnswer> {
    const row = await store.clockOf(tenantId);
    const pending = row.clock_target === null ? 0 : await store.pending(tenantId);
    return {
      now: nowOf(tenantId, row),
      real_now: instant(),
      fired: fired.get(tenantId) ?? 0,
      pending,
    };
  }

  return {
    start: loop.start,
    clock,
    async advance(tenantId, by, also) {
      if (environment !== 'sandbox') throw fail('sandbox_only');
      const lease = instant(leaseMs);
      await store.begin(
        tenantId,
        lease,
        (row) => {
          if (row.clock_target !== null)
            throw fail('invalid_state', { details: { reason: 'advance_at_work' } });
          const now = nowOf(tenantId, row);
          return { now, target: targetOf(now, by) };
        },
        also,
      );
      fired.set(tenantId, 0);
      const enough = new AbortController();
      await Promise.race([begin(tenantId, lease), sleep(waitMs, enough.signal)]);
      enough.abort();
      return clock(tenantId);
    },
    async stop() {
      await loop.stop();
      await Promise.all(active.values());
    },
  };
}
