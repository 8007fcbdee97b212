/**
 * Concurrency limits by Tenant: one lane each. A lane begins with a few slots and gets more once its
 * receiver has answered promptly. A slow lane keeps the few and has no queue; events beyond them go
 * back to the database, so a receiver that hangs takes neither slots nor memory from the others.
 */
export interface LaneLimits {
  /** Attempts under way, of all lanes. */
  readonly open: number;
  /** Attempts under way of lanes that are not slow: of all, and of one. */
  readonly total: number;
  readonly each: number;
  /** The same for slow lanes; the second also before a lane's first answer. */
  readonly slowTotal: number;
  readonly slowEach: number;
  /** Items under way or queued: of all lanes, and of one. */
  readonly held: number;
  readonly heldEach: number;
  /** An answer that takes longer than this is not prompt. */
  readonly slowAfterMs: number;
}

export const usualLimits: LaneLimits = {
  // Enough for a thousand dead receivers at once, with two attempts each.
  open: 2_048,
  total: 512,
  each: 16,
  slowTotal: 128,
  slowEach: 2,
  held: 4_096,
  heldEach: 512,
  slowAfterMs: 1_000,
};

/** A lane without work is removed after this time: a receiver that was slow begins anew. */
const forgetAfterMs = 60_000;

interface Lane<Item> {
  readonly key: string;
  readonly queue: Item[];
  /** When each attempt under way began, the oldest first. */
  readonly started: number[];
  slow: boolean;
  /** Whether it has answered promptly, and not been slow since. */
  proven: boolean;
  /** Whether it was reported full, and has not been half empty since. */
  full: boolean;
  idleSince: number;
}

/** An attempt under way. */
export interface Slot<Item> {
  readonly item: Item;
  /** Frees the slot. @returns true when there is room again after there was none */
  end(): boolean;
}

export function openLanes<Item>(limits: LaneLimits, nowMs: () => number) {
  const lanes = new Map<string, Lane<Item>>();
  /** Lanes with a queued item and a free slot, the next one first. */
  const ready = new Set<Lane<Item>>();
  let held = 0;
  let underWay = 0;
  let slowUnderWay = 0;
  let starved = false;

  function laneOf(key: string): Lane<Item> {
    let lane = lanes.get(key);
    if (!lane) {
      const fresh = { slow: false, proven: false, full: false, idleSince: nowMs() };
      lane = { key, queue: [], started: [], ...fresh };
      lanes.set(key, lane);
    }
    return lane;
  }

  const countOf = (lane: Lane<Item>) => lane.started.length + lane.queue.length;
  const capOf = (lane: Lane<Item>) => (lane.proven ? limits.each : limits.slowEach);

  /** Makes a lane slow or prompt; its attempts under way count with the others of its kind. */
  function setSlow(lane: Lane<Item>, slow: boolean): void {
    lane.proven = !slow;
    if (lane.slow === slow) return;
    lane.slow = slow;
    slowUnderWay += slow ? lane.started.length : -lane.started.length;
  }

  function settle(lane: Lane<Item>): void {
    ready.delete(lane);
    if (lane.queue.length > 0 && lane.started.length < capOf(lane)) ready.add(lane);
  }

  function slowHasRoom(lane: Lane<Item>): boolean {
    return countOf(lane) < limits.slowEach && slowUnderWay + lane.queue.length < limits.slowTotal;
  }

  function begin(lane: Lane<Item>, item: Item): Slot<Item> {
    const startedMs = nowMs();
    lane.started.push(startedMs);
    underWay += 1;
    if (lane.slow) slowUnderWay += 1;
    settle(lane);
    return {
      item,
      end: () => {
        lane.started.splice(lane.started.indexOf(startedMs), 1);
        underWay -= 1;
        held -= 1;
        if (lane.slow) slowUnderWay -= 1;
        setSlow(lane, nowMs() - startedMs > limits.slowAfterMs);
        lane.idleSince = nowMs();
        settle(lane);
        return roomAgain(lane);
      },
    };
  }

  function roomAgain(lane: Lane<Item>): boolean {
    const laneAgain = lane.full && countOf(lane) <= limits.heldEach / 2;
    const allAgain = starved && held <= limits.held / 2;
    if (laneAgain) lane.full = false;
    if (allAgain) starved = false;
    return laneAgain || allAgain;
  }

  return {
    /** The number of items that may still be added. */
    room(): number {
      const room = Math.max(0, limits.held - held);
      starved ||= room === 0;
      return room;
    },
    /** Keys of the lanes that hold their maximum. */
    full(): string[] {
      const full = [...lanes.values()].filter((lane) => countOf(lane) >= limits.heldEach);
      for (const lane of full) lane.full = true;
      return full.map((lane) => lane.key);
    },
    /** Queues an item. @returns false when its lane is slow and has no slot for it */
    offer(key: string, item: Item): boolean {
      const lane = laneOf(key);
      if (lane.slow && !slowHasRoom(lane)) return false;
      lane.queue.push(item);
      held += 1;
      settle(lane);
      return true;
    },
    /** Begins the next attempt, lanes in turn; null when none may begin now. */
    next(): Slot<Item> | null {
      if (underWay >= limits.open || underWay - slowUnderWay >= limits.total) return null;
      const [lane] = ready;
      const item = lane?.queue.shift();
      return lane && item !== undefined ? begin(lane, item) : null;
    },
    /** Marks lanes slow whose oldest attempt takes too long. @returns what they had queued */
    sweep(): Item[] {
      const dropped: Item[] = [];
      for (const lane of lanes.values()) {
        const oldest = lane.started[0];
        if (oldest !== undefined && nowMs() - oldest > limits.slowAfterMs) setSlow(lane, true);
        if (lane.slow) {
          dropped.push(...lane.queue.splice(0));
          settle(lane);
        }
        if (countOf(lane) === 0 && nowMs() - lane.idleSince > forgetAfterMs) lanes.delete(lane.key);
      }
      held -= dropped.length;
      return dropped;
    },
    /** Empties all queues. @returns the items that have not begun */
    empty(): Item[] {
      const queued = [...lanes.values()].flatMap((lane) => lane.queue.splice(0));
      ready.clear();
      held -= queued.length;
      return queued;
    },
  };
}
