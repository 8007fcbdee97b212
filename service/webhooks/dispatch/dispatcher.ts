import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { WebhookContext } from '../context.ts';
import { openSigningSecrets } from '../secrets.ts';
import { openSender, type Sender } from '../send/send.ts';
import { openAttempts } from './attempt.ts';
import { addFaults } from './faults.ts';
import { openHaste } from './hasten.ts';
import { type LaneLimits, openLanes, type Slot, usualLimits } from './lanes.ts';
import { isAccepted } from './outcome.ts';
import { type Outcome, openRecorder } from './recorder.ts';
import { type ClaimedDelivery, openDeliveryStore } from './store.ts';

/** Longer than an attempt, its wait for a slot and its record; then another worker may take over. */
const leaseMs = 30_000;
const claimSize = 256;
const defaultPollMs = 250;
/** Events of one tenant that an advance attempts at a time, well within their lease. */
const stepSize = 16;
const maximumBytes = sizes.webhookAnswerKept;
/** Events of a slow receiver are postponed: each waits this much longer than the one before. */
const slowTurnMs = 5_000;
const longestTurnMs = 60_000;

export interface DispatcherOptions {
  readonly pollMs?: number;
  readonly timeoutMs?: number;
  readonly limits?: LaneLimits;
  /** Wraps the sender, to measure its attempts. */
  readonly measured?: (sender: Sender) => Sender;
}

/** Delivers events to the Tenants (rules/webhooks#1). */
export interface Dispatcher {
  /** Starts the loop of a worker. */
  start(): void;
  /** Looks for due deliveries at once, as after a resend. */
  wake(): void;
  /** Sets whether a commit of the tenant's events wakes the loop; otherwise it finds them later. */
  delivers(tenantId: string, enabled: boolean): void;
  /** To be called when a signing secret was added or retired: the next attempt reads them again. */
  forgetSecrets(tenantId: string): void;
  /**
   * One step of an advance: attempts what is due at the tenant's clock.
   * @returns the number of deliveries that were attempted and recorded
   */
  deliverDue(tenantId: string): Promise<number>;
  /** Claims nothing more, and resolves when the attempts under way have ended and are recorded. */
  drain(): Promise<void>;
}

/** The dispatcher of this process. Several share the table: SKIP LOCKED and a lease. */
export function openDispatcher(
  service: WebhookContext,
  options: DispatcherOptions = {},
): Dispatcher {
  const { clocks, log, environment } = service;
  const { pollMs = defaultPollMs, limits = usualLimits, measured = (plain) => plain } = options;
  const timeoutMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1000;
  const store = openDeliveryStore(service.pool);
  const recorder = openRecorder(store, service);
  const sender = measured(openSender({ environment, timeoutMs, maximumBytes }));
  const secrets = openSigningSecrets(service);
  const attempt = openAttempts(service, sender, secrets.of, timeoutMs);
  const haste = openHaste(service);
  const lanes = openLanes<ClaimedDelivery>(limits, () => performance.now());
  const loop = runLoop({
    pauseMs: () => pollMs,
    turn,
    failure: 'due deliveries cannot be claimed; the next turn tries again',
    log,
  });
  const instant = (aheadMs = 0) => instantOf(clocks.realNow() + aheadMs);

  const delivering = new Set<string>();
  service.engine.onCommit(({ staged }) => {
    if (delivering.size > 0 && staged.events.some((event) => delivering.has(event.tenantId)))
      loop.wake();
  });

  const failed = (error: unknown): null => {
    // Such a delivery is free again when its lease ends.
    log.error(
      { fault: faultFacts(error) },
      'a webhook attempt failed; it is repeated after its lease',
    );
    return null;
  };

  async function record(outcome: Outcome | null): Promise<void> {
    if (outcome === null) return;
    await recorder.push(outcome);
    if (isAccepted(outcome.attempt?.answer.status ?? null))
      haste.answered(outcome.claimed.tenantId);
  }

  const tryOnce = async (row: ClaimedDelivery): Promise<void> =>
    record(await attempt(row).catch(failed));

  async function useSlot({ item, end }: Slot<ClaimedDelivery>): Promise<void> {
    const outcome = await attempt(item).catch(failed);
    if (end()) loop.wake();
    beginAll();
    await record(outcome);
  }

  /** The attempts that `drain` waits for. */
  const underWay = new Set<Promise<unknown>>();
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  function beginAll(): void {
    for (let slot = lanes.next(); slot; slot = lanes.next()) void track(useSlot(slot));
  }

  /** Postpones the events that a slow receiver has no slot for, about until it has one. */
  async function postpone(rows: readonly ClaimedDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    const turns = new Map<string, number>();
    const later = rows.map((row) => {
      const turn = (turns.get(row.tenantId) ?? 0) + 1;
      turns.set(row.tenantId, turn);
      return { row, wakeAt: instant(Math.min(turn * slowTurnMs, longestTurnMs)) };
    });
    await store.giveBack(later);
  }

  /** @returns the deliveries that may be attempted now; the sandbox's faults postpone the others */
  async function afterFaults(
    rows: readonly ClaimedDelivery[],
  ): Promise<readonly ClaimedDelivery[]> {
    const { ready, held } = await addFaults(
      service.sandboxTools?.chaos ?? null,
      rows,
      clocks.realNow(),
    );
    if (held.length > 0) await store.giveBack(held);
    return ready;
  }

  /** @returns whether there may be more to claim at once */
  async function look(): Promise<boolean> {
    await postpone(lanes.sweep());
    const limit = Math.min(claimSize, lanes.room());
    if (limit === 0) return false;
    const rows = await store.claim(instant(), instant(leaseMs), limit, lanes.full());
    for (const { tenantId, url } of rows) if (url !== null) delivering.add(tenantId);
    const ready = await afterFaults(rows);
    const refused = ready.filter((row) => !lanes.offer(row.tenantId, row));
    beginAll();
    await postpone(refused);
    return rows.length === limit;
  }

  async function loadDelivering(): Promise<void> {
    const { rows } = await service.pool.query<{ tenant_id: string }>(
      'select tenant_id from tenants where delivers',
    );
    for (const row of rows) delivering.add(row.tenant_id);
  }

  let loaded: Promise<unknown> | null = null;

  /** @returns how long to sleep, in milliseconds */
  async function turn(): Promise<number> {
    loaded ??= loadDelivering().catch(failed);
    await loaded;
    await haste.look();
    return (await look()) ? 0 : pollMs;
  }

  let drained: Promise<void> | null = null;

  async function end(): Promise<void> {
    await loop.stop();
    const queued = lanes.empty().map((row) => ({ row, wakeAt: null }));
    if (queued.length > 0) await store.giveBack(queued).catch(failed);
    while (underWay.size > 0) await Promise.all(underWay);
    await sender.close();
  }

  return {
    start: loop.start,
    wake: loop.wake,
    delivers(tenantId, enabled) {
      if (enabled) delivering.add(tenantId);
      else delivering.delete(tenantId);
    },
    forgetSecrets: secrets.forget,
    async deliverDue(tenantId) {
      const rows = await store.claimOf(tenantId, instant(), instant(leaseMs), stepSize);
      const ready = await afterFaults(rows);
      await track(Promise.all(ready.map(tryOnce)));
      return ready.length;
    },
    drain() {
      drained ??= end();
      return drained;
    },
  };
}
