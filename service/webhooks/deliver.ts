import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { faultFacts } from '../core/fault.ts';
import { instantOf } from '../core/instant.ts';
import { runLoop } from '../core/run_loop.ts';
import { meterSender } from '../operations/webhook_meter.ts';
import type { Service } from '../service.ts';
import { openAttempts } from './attempt.ts';
import { meetFaults } from './faults.ts';
import { type LaneLimits, openLanes, type Slot, usualLimits } from './lanes.ts';
import { openRecorder } from './recorder.ts';
import { openSigningSecrets } from './secrets.ts';
import { openSender } from './send.ts';
import { type ClaimedDelivery, openDeliveryStore } from './store.ts';

/** Longer than an attempt, its wait for a slot and its record; a worker that died is relieved then. */
const leaseMs = 30_000;
const claimSize = 256;
const defaultPollMs = 250;
/** An advance attempts so many of its tenant's events at a time, well within their lease. */
const stepSize = 16;
const maximumBytes = 65_536;
/** Each event that a slow receiver has no slot for waits this much longer than the one before. */
const slowTurnMs = 5_000;
const longestTurnMs = 60_000;

export interface DispatcherOptions {
  readonly pollMs?: number;
  readonly timeoutMs?: number;
  readonly limits?: LaneLimits;
}

/** Brings events to the Tenants (contract: Delivery). */
export interface Dispatcher {
  /** Starts the loop of a worker. */
  start(): void;
  /** Looks at once, as after a resend. */
  wake(): void;
  /** Which tenants' events are worth looking for at each commit; the loop finds the others later. */
  delivers(tenantId: string, enabled: boolean): void;
  /** A signing secret of the tenant was added or retired: the next attempt knows. */
  forgetSecrets(tenantId: string): void;
  /**
   * One look of an advance: attempts what is due where the tenant's clock stands.
   * @returns how many deliveries were tried and recorded
   */
  deliverDue(tenantId: string): Promise<number>;
  /** Claims nothing more, and resolves when the attempts under way have ended and are recorded. */
  drain(): Promise<void>;
}

/** The dispatcher of this process. Several share the table: SKIP LOCKED and a lease. */
export function openDispatcher(
  service: Pick<
    Service,
    'engine' | 'clocks' | 'pool' | 'vault' | 'log' | 'environment' | 'sandboxTools' | 'meters'
  >,
  options: DispatcherOptions = {},
): Dispatcher {
  const { clocks, log, environment } = service;
  const { pollMs = defaultPollMs, limits = usualLimits } = options;
  const timeoutMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1000;
  const store = openDeliveryStore(service.pool);
  const recorder = openRecorder(store, service);
  const plain = openSender({ environment, timeoutMs, maximumBytes });
  const sender = meterSender(service.meters, plain);
  const secrets = openSigningSecrets(service);
  const attempt = openAttempts(service, sender, secrets.of, timeoutMs);
  const lanes = openLanes<ClaimedDelivery>(limits, () => performance.now());
  const loop = runLoop({
    pauseMs: () => pollMs,
    turn,
    failure: 'deliveries cannot be claimed',
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
    log.error({ fault: faultFacts(error) }, 'an attempt went wrong');
    return null;
  };

  async function tryOnce(row: ClaimedDelivery): Promise<void> {
    const outcome = await attempt(row).catch(failed);
    if (outcome) await recorder.push(outcome);
  }

  async function useSlot({ item, end }: Slot<ClaimedDelivery>): Promise<void> {
    const outcome = await attempt(item).catch(failed);
    if (end()) loop.wake();
    beginAll();
    if (outcome) await recorder.push(outcome);
  }

  /** What drain waits for. */
  const underWay = new Set<Promise<unknown>>();
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  function beginAll(): void {
    for (let slot = lanes.next(); slot; slot = lanes.next()) void track(useSlot(slot));
  }

  /** Puts off what slow receivers have no slot for: about until those before it have had theirs. */
  async function putOff(rows: readonly ClaimedDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    const turns = new Map<string, number>();
    const later = rows.map((row) => {
      const turn = (turns.get(row.tenantId) ?? 0) + 1;
      turns.set(row.tenantId, turn);
      return { row, wakeAt: instant(Math.min(turn * slowTurnMs, longestTurnMs)) };
    });
    await store.giveBack(later);
  }

  /** @returns what may be attempted now; chaos holds the rest back */
  async function afterFaults(
    rows: readonly ClaimedDelivery[],
  ): Promise<readonly ClaimedDelivery[]> {
    const { ready, held } = await meetFaults(
      service.sandboxTools?.chaos ?? null,
      rows,
      clocks.realNow(),
    );
    if (held.length > 0) await store.giveBack(held);
    return ready;
  }

  /** @returns whether there may be more to claim at once */
  async function look(): Promise<boolean> {
    await putOff(lanes.sweep());
    const limit = Math.min(claimSize, lanes.room());
    if (limit === 0) return false;
    const rows = await store.claim(instant(), instant(leaseMs), limit, lanes.full());
    for (const { tenantId, url } of rows) if (url !== null) delivering.add(tenantId);
    const ready = await afterFaults(rows);
    const refused = ready.filter((row) => !lanes.offer(row.tenantId, row));
    beginAll();
    await putOff(refused);
    return rows.length === limit;
  }

  async function learnWhoDelivers(): Promise<void> {
    const { rows } = await service.pool.query<{ tenant_id: string }>(
      'select tenant_id from tenants where delivers',
    );
    for (const row of rows) delivering.add(row.tenant_id);
  }

  let learned: Promise<unknown> | null = null;

  /** @returns how long to sleep, in milliseconds */
  async function turn(): Promise<number> {
    learned ??= learnWhoDelivers().catch(failed);
    await learned;
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
