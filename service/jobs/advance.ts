import { fail } from '../core/fail.ts';
import { earlier, epochMs, type Instant, instantOf } from '../core/instant.ts';
import { faultFacts } from '../http/errors.ts';
import type { Service } from '../service.ts';
import type { Dispatcher } from '../webhooks/deliver.ts';
import { type ClockRow, openAdvanceStore, type Standing } from './advance_store.ts';
import type { DueLoop } from './due.ts';
import { openPulse, sleep } from './pulse.ts';

const leaseMs = 30_000;
/** A lease is renewed when this much of it is spent. */
const renewAfterMs = 5_000;
const resumeEveryMs = 1_000;
/** How long the caller waits at most (decisions 2.5). */
const defaultWaitMs = 60_000;
/** How long to wait for what another process holds. */
const glanceMs = 20;
/** Ten years: far enough for every deadline, near enough for every date. */
export const longestAdvanceSeconds = 10 * 366 * 24 * 60 * 60;

/** `GET /portal/api/clock` (surfaces, Portal JSON). */
export interface ClockAnswer {
  readonly now: Instant;
  readonly real_now: Instant;
  /** What the advance at work, or just ended, has run: due rows and webhook attempts. */
  readonly fired: number;
  /** What still falls due before its target. */
  readonly pending: number;
}

export interface Advance {
  /** Goes on with advances whose holder died. Only a worker does. */
  start(): void;
  clock(tenantId: string): Promise<ClockAnswer>;
  /**
   * Moves the clock forward, step by step through all that falls due, and returns when it has run,
   * or after 60 s while it goes on.
   * @throws ApiError sandbox_only; parameter_invalid (back, or too far); invalid_state (at work)
   */
  advance(tenantId: string, by: { seconds: number } | { to: Instant }): Promise<ClockAnswer>;
  stop(): Promise<void>;
}

type Needs = Pick<Service, 'db' | 'clocks' | 'log' | 'environment'>;

/** Where the clock is to go. @throws ApiError parameter_invalid */
function targetOf(now: Instant, by: { seconds: number } | { to: Instant }): Instant {
  const targetMs = 'to' in by ? Date.parse(by.to) : epochMs(now) + by.seconds * 1000;
  const param = 'to' in by ? 'to' : 'seconds';
  const aheadMs = targetMs - epochMs(now);
  if (aheadMs < 0) throw fail('parameter_invalid', { param, details: { reason: 'past' } });
  if (aheadMs > longestAdvanceSeconds * 1000)
    throw fail('parameter_invalid', { param, details: { reason: 'too_far' } });
  return instantOf(targetMs);
}

/** The first instant on the way at which anything wakes; null when nothing does. */
function firstWake({ dueWake, deliveryWake }: Standing): Instant | null {
  if (dueWake === null || deliveryWake === null) return dueWake ?? deliveryWake;
  return earlier(dueWake, deliveryWake);
}

/** Moves tenants' clocks (decisions 2.5): one holder at a time, due instant by due instant. */
export function openAdvance(
  { db, clocks, log, environment }: Needs,
  parts: { readonly due: DueLoop; readonly dispatcher: Dispatcher },
  { waitMs = defaultWaitMs } = {},
): Advance {
  const { due, dispatcher } = parts;
  const store = openAdvanceStore(db);
  const active = new Map<string, Promise<void>>();
  const fired = new Map<string, number>();
  const instant = (aheadMs = 0) => instantOf(clocks.realNow() + aheadMs);
  let stopped = false;

  const count = (tenantId: string, more: number) =>
    fired.set(tenantId, (fired.get(tenantId) ?? 0) + more);

  /** Runs what wakes where the clock stands. @returns how much; nothing when others hold it */
  async function runStanding(tenantId: string, standing: Standing): Promise<number> {
    const here = instantOf(epochMs(standing.clock_at) - standing.clock_offset_ms);
    const ran =
      standing.dueWake !== null && standing.dueWake <= here ? await due.runDueOf(tenantId) : 0;
    // What a duty has just told of is delivered at the next look, in its turn.
    if (ran > 0 || standing.deliveryWake === null || standing.deliveryWake > here) return ran;
    return dispatcher.deliverDue(tenantId);
  }

  /** @returns the lease it holds on with, or null when the advance is over or another's */
  async function stepOn(tenantId: string, held: Instant): Promise<Instant | null> {
    const standing = await store.look(tenantId);
    if (!standing) return null;
    const wake = firstWake(standing);
    if (wake === null) {
      await store.finish(tenantId, held, clocks.realNow());
      return null;
    }
    const at = instantOf(epochMs(wake) + standing.clock_offset_ms);
    const lease = instant(leaseMs);
    if (at > standing.clock_at) return (await store.step(tenantId, at, held, lease)) ? lease : null;
    const ran = await runStanding(tenantId, standing);
    count(tenantId, ran);
    if (ran === 0) await sleep(glanceMs);
    if (epochMs(held) - clocks.realNow() > leaseMs - renewAfterMs) return held;
    const renewed = instant(leaseMs);
    return (await store.hold(tenantId, held, renewed, instant())) ? renewed : null;
  }

  async function run(tenantId: string, lease: Instant): Promise<void> {
    let held: Instant | null = lease;
    while (held !== null && !stopped) held = await stepOn(tenantId, held);
    // Who starts next need not wait for the lease of one that stopped in good order.
    if (held !== null) await store.hold(tenantId, held, instant(), instant());
    due.forget();
    dispatcher.wake();
  }

  /** Never rejects: an advance that broke is taken up again when its lease has ended. */
  function begin(tenantId: string, lease: Instant): Promise<void> {
    const running = run(tenantId, lease)
      .catch((error: unknown) =>
        log.error({ tenant_id: tenantId, fault: faultFacts(error) }, 'an advance broke off'),
      )
      .finally(() => active.delete(tenantId));
    active.set(tenantId, running);
    return running;
  }

  async function resume(): Promise<void> {
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

  const pulse = openPulse();
  let looping: Promise<void> | null = null;

  async function loop(): Promise<void> {
    while (!stopped) {
      await resume().catch((error: unknown) =>
        log.error({ fault: faultFacts(error) }, 'advances cannot be looked for'),
      );
      await pulse.wait(resumeEveryMs);
    }
  }

  return {
    start() {
      looping ??= loop();
    },
    clock,
    async advance(tenantId, by) {
      if (environment !== 'sandbox') throw fail('sandbox_only');
      const lease = instant(leaseMs);
      await store.begin(tenantId, lease, (row) => {
        if (row.clock_target !== null)
          throw fail('invalid_state', { details: { reason: 'advance_at_work' } });
        const now = nowOf(tenantId, row);
        return { now, target: targetOf(now, by) };
      });
      fired.set(tenantId, 0);
      const enough = new AbortController();
      await Promise.race([begin(tenantId, lease), sleep(waitMs, enough.signal)]);
      enough.abort();
      return clock(tenantId);
    },
    async stop() {
      stopped = true;
      pulse.wake();
      await looping;
      await Promise.all(active.values());
    },
  };
}
