/**
 * Who may send when: one lane for each Tenant. A lane begins with a few slots and has more once it
 * has answered promptly. One that does not keeps the few and has no queue; what it cannot take goes
 * back to the database, so that a receiver that hangs holds neither the slots nor the memory of the
 * others.
 */
export interface LaneLimits {
  /** Attempts under way at all. */
  readonly open: number;
  /** Attempts under way of lanes that are not known to hang, of all and of one. */
  readonly total: number;
  readonly each: number;
  /** The same for lanes that do not answer promptly; the second also before the first answer. */
  readonly slowTotal: number;
  readonly slowEach: number;
  /** Items held, under way or queued, of all lanes and of one. */
  readonly held: number;
  readonly heldEach: number;
  /** An answer that takes longer than this is not prompt. */
  readonly slowAfterMs: number;
}

export const usualLimits: LaneLimits = {
  // A thousand dead receivers met at once, each with its few attempts.
  open: 2_048,
  total: 512,
  each: 16,
  slowTotal: 128,
  slowEach: 2,
  held: 4_096,
  heldEach: 512,
  slowAfterMs: 1_000,
};

/** A lane without work is forgotten after this: a receiver that was slow gets another chance. */
const forgetAfterMs = 60_000;

interface Lane<Item> {
  readonly key: string;
  readonly queue: Item[];
  /** When each attempt under way began, the oldest first. */
  readonly started: number[];
  slow: boolean;
  /** It has answered promptly, and not been slow since. */
  proven: boolean;
  /** It was told to be full, and has not been half empty since. */
  full: boolean;
  idleSince: number;
}

/** An attempt under way. */
export interface Slot<Item> {
  readonly item: Item;
  /** Frees the slot. @returns whether there is room again that was missing */
  end(): boolean;
}

export function openLanes<Item>(limits: LaneLimits, nowMs: () => number) {
  const lanes = new Map<string, Lane<Item>>();
  /** Lanes that have something queued and a slot free, the next one first. */
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

  /** A lane becomes slow or prompt; its attempts under way count where it is. */
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
    /** How many items more may be held. */
    room(): number {
      const room = Math.max(0, limits.held - held);
      starved ||= room === 0;
      return room;
    },
    /** Lanes that hold all that one may. */
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
    /** The next attempt that may begin now, lanes in turn; null when none may. */
    next(): Slot<Item> | null {
      if (underWay >= limits.open || underWay - slowUnderWay >= limits.total) return null;
      const [lane] = ready;
      const item = lane?.queue.shift();
      return lane && item !== undefined ? begin(lane, item) : null;
    },
    /** Looks for lanes that have begun to hang. @returns what they had queued */
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
    /** Everything queued that has not begun. */
    empty(): Item[] {
      const queued = [...lanes.values()].flatMap((lane) => lane.queue.splice(0));
      ready.clear();
      held -= queued.length;
      return queued;
    },
  };
}
