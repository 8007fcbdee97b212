import { idMaker } from '../new_id.ts';
import { platformId } from '../platform.ts';
import { epochMs, type Instant, instantOf } from './instant.ts';

/** The part of a tenant's row that says what time it is there. */
export interface ClockFacts {
  readonly clock_offset_ms: number;
  readonly clock_at: Instant | null;
}

/**
 * A tenant's time in epoch milliseconds: real time plus the offset that only the sandbox may move;
 * during an advance of the clock, the instant at which it stands (rules/clock#17).
 */
export const tenantNowMs = (clock: ClockFacts, realMs: number): number =>
  clock.clock_at === null ? realMs + clock.clock_offset_ms : epochMs(clock.clock_at);

/** When, in real time, an instant of the tenant's clock is reached. */
export const realInstantOf = (clock: ClockFacts, at: Instant): Instant =>
  instantOf(epochMs(at) - clock.clock_offset_ms);

/**
 * SQL: an instant of a column, moved by an interval. In UTC, since the sum with an instant is not
 * immutable, and a write of a cell may hold nothing else (rules/engine#33).
 */
export const shiftedInstantSql = (at: string, by: string): string =>
  `((${at}) at time zone 'UTC' ${by}) at time zone 'UTC'`;

/**
 * SQL: real time as a tenant's jobs and deliveries see it. During an advance: the real time at which
 * the instant of its clock would have come (rules/clock#17). `t` is the tenant's row, `$1` real time.
 */
export const realTimeOfClock = `coalesce(${shiftedInstantSql('t.clock_at', "- t.clock_offset_ms * interval '1 ms'")}, $1::timestamptz)`;

/**
 * The clocks of one process. Time never goes back for a tenant, and its ids rise with it, even
 * when the machine's clock is set back. The platform's is real time itself, by which its rows are read.
 */
export function openClocks(realNow: () => number) {
  const tenants = new Map<string, { lastMs: number; makeId: (nowMs: number) => string }>();
  return {
    realNow,
    at(tenantId: string, facts: ClockFacts): { now: Instant; newId: () => string } {
      let known = tenants.get(tenantId);
      if (!known) {
        known = { lastMs: 0, makeId: idMaker() };
        tenants.set(tenantId, known);
      }
      const { makeId } = known;
      const nowMs =
        tenantId === platformId ? realNow() : Math.max(known.lastMs, tenantNowMs(facts, realNow()));
      known.lastMs = nowMs;
      return { now: instantOf(nowMs), newId: () => makeId(nowMs) };
    },
  };
}

export type Clocks = ReturnType<typeof openClocks>;
