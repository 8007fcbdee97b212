import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { WebhookContext } from '../context.ts';
import { openSender, type Sender } from '../send/send.ts';
import { openSigningSecrets } from '../signing.ts';
import { openAttempts } from './attempt.ts';
import { addFaults } from './faults.ts';
import { openHaste } from './hasten.ts';
import { type DeliveryKind, deliveryKinds } from './kinds.ts';
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
  /** Called when an endpoint has taken an event, with what it was before. */
  readonly onDelivered?: (delivery: ClaimedDelivery) => void;
}

/** Delivers events to the Tenants (rules/webhooks#1). */
export interface Dispatcher {
  /** Starts the loop of a worker. */
  start(): void;
  /** Looks for due deliveries at once, as after a resend. */
  wake(): void;
  /**
   * Sets whether a commit of the tenant's events wakes the loop of this kind; otherwise it finds them later.
   * @param kind absent: of the first endpoint
   */
  delivers(tenantId: string, enabled: boolean, kind?: DeliveryKind['name']): void;
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
  const {
    pollMs = defaultPollMs,
    limits = usualLimits,
    measured = (plain) => plain,
    onDelivered = () => {},
  } = options;
  const timeoutMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1000;
  const sender = measured(openSender({ environment, timeoutMs, maximumBytes }));
  const secrets = openSigningSecrets(service);
  const attempt = openAttempts(service, sender, secrets.of, timeoutMs);
  const lanes = openLanes<ClaimedDelivery>(limits, () => performance.now());
  const lines = {
    first: openLine(deliveryKinds.first),
    further: openLine(deliveryKinds.further),
  };
  const allLines = Object.values(lines);
  const instant = (aheadMs = 0) => instantOf(clocks.realNow() + aheadMs);

  /** Each kind has a loop of its own: a Tenant without further endpoints wakes theirs with no event. */
  function openLine(kind: DeliveryKind) {
    const store = openDeliveryStore(service.pool, kind);
    const delivering = new Set<string>();
    const loop = runLoop({
      pauseMs: () => pollMs,
      turn: () => turn(kind.name),
      failure: 'due deliveries cannot be claimed; the next turn tries again',
      log,
    });
    service.engine.onCommit(({ staged }) => {
      if (delivering.size > 0 && staged.events.some((event) => delivering.has(event.tenantId)))
        loop.wake();
    });
    let loaded: Promise<unknown> | null = null;
    const load = async () => {
      const { rows } = await service.pool.query<{ tenant_id: string }>(
        `select t.tenant_id from tenants t where ${kind.delivering}`,
      );
      for (const row of rows) delivering.add(row.tenant_id);
    };
    return {
      store,
      recorder: openRecorder(store, service),
      haste: openHaste(service, kind),
      loop,
      delivering,
      /** Loads once whose events wake the loop. */
      loaded: () => (loaded ??= load().catch(failed)),
    };
  }

  const lineOf = ({ endpointId }: ClaimedDelivery) =>
    endpointId === null ? lines.first : lines.further;
  const laneOf = ({ endpointId, tenantId }: ClaimedDelivery) => endpointId ?? tenantId;
  const wake = (): void => {
    for (const { loop } of allLines) loop.wake();
  };

  type Returned = { readonly row: ClaimedDelivery; readonly wakeAt: Instant | null };
  /** Frees claimed rows that were not attempted. */
  async function giveBack(rows: readonly Returned[]): Promise<void> {
    for (const line of allLines) {
      const own = rows.filter(({ row }) => lineOf(row) === line);
      if (own.length > 0) await line.store.giveBack(own);
    }
  }

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
    const { recorder, haste } = lineOf(outcome.claimed);
    await recorder.push(outcome);
    if (!isAccepted(outcome.attempt?.answer.status ?? null)) return;
    haste.answered(outcome.claimed);
    onDelivered(outcome.claimed);
  }

  const tryOnce = async (row: ClaimedDelivery): Promise<void> =>
    record(await attempt(row).catch(failed));

  async function useSlot({ item, end }: Slot<ClaimedDelivery>): Promise<void> {
    const outcome = await attempt(item).catch(failed);
    if (end()) wake();
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
    const turns = new Map<string, number>();
    const later = rows.map((row) => {
      const turn = (turns.get(laneOf(row)) ?? 0) + 1;
      turns.set(laneOf(row), turn);
      return { row, wakeAt: instant(Math.min(turn * slowTurnMs, longestTurnMs)) };
    });
    await giveBack(later);
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
    await giveBack(held);
    return ready;
  }

  type Line = (typeof lines)[DeliveryKind['name']];
  /** @returns whether there may be more to claim at once */
  async function look({ store, delivering }: Line): Promise<boolean> {
    await postpone(lanes.sweep());
    const limit = Math.min(claimSize, lanes.room());
    if (limit === 0) return false;
    const rows = await store.claim(instant(), instant(leaseMs), limit, lanes.full());
    for (const { tenantId, url } of rows) if (url !== null) delivering.add(tenantId);
    const ready = await afterFaults(rows);
    const refused = ready.filter((row) => !lanes.offer(laneOf(row), row));
    beginAll();
    await postpone(refused);
    return rows.length === limit;
  }

  /** @returns how long to sleep, in milliseconds */
  async function turn(kind: DeliveryKind['name']): Promise<number> {
    const line = lines[kind];
    await line.loaded();
    await line.haste.look();
    return (await look(line)) ? 0 : pollMs;
  }

  let drained: Promise<void> | null = null;

  async function end(): Promise<void> {
    await Promise.all(allLines.map(({ loop }) => loop.stop()));
    const queued = lanes.empty().map((row) => ({ row, wakeAt: null }));
    await giveBack(queued).catch(failed);
    while (underWay.size > 0) await Promise.all(underWay);
    await sender.close();
  }

  return {
    start: () => {
      for (const { loop } of allLines) loop.start();
    },
    wake,
    delivers(tenantId, enabled, kind = 'first') {
      if (enabled) lines[kind].delivering.add(tenantId);
      else lines[kind].delivering.delete(tenantId);
    },
    forgetSecrets: secrets.forget,
    async deliverDue(tenantId) {
      const due = allLines.map(({ store }) =>
        store.claimOf(tenantId, instant(), instant(leaseMs), stepSize),
      );
      const ready = await afterFaults((await Promise.all(due)).flat());
      await track(Promise.all(ready.map(tryOnce)));
      return ready.length;
    },
    drain() {
      drained ??= end();
      return drained;
    },
  };
}
