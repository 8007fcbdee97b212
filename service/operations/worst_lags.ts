const windowMs = 300_000;
/** The most Tenants that are remembered in a window, and that are shown. */
const mostKept = 1_000;
const mostShown = 20;

/** The longest lag of each Tenant in this window of five minutes and the one before. */
export interface WorstLags {
  note(tenant: string, seconds: number): void;
  /** The twenty Tenants where it was longest, the longest first. */
  shown(): readonly (readonly [tenant: string, seconds: number])[];
}

export function openWorstLags(nowMs: () => number = () => performance.now()): WorstLags {
  let begunMs = nowMs();
  let before = new Map<string, number>();
  let current = new Map<string, number>();

  function turn(): void {
    const windows = Math.floor((nowMs() - begunMs) / windowMs);
    if (windows < 1) return;
    before = windows === 1 ? current : new Map();
    current = new Map();
    begunMs += windows * windowMs;
  }

  return {
    note(tenant, seconds) {
      turn();
      const known = current.get(tenant);
      if (known === undefined && current.size >= mostKept) return;
      current.set(tenant, Math.max(known ?? 0, seconds));
    },
    shown() {
      turn();
      const all = new Map(before);
      for (const [tenant, seconds] of current)
        all.set(tenant, Math.max(seconds, before.get(tenant) ?? 0));
      return [...all].sort(([, one], [, other]) => other - one).slice(0, mostShown);
    },
  };
}
