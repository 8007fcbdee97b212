import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';

/**
 * Rows that people and programs began and nobody needs any more. They are deleted past the engine, which has no verb
 * for it: that something has expired is no act of anybody.
 */
interface Expired {
  readonly table: string;
  /** The column from which the age counts. */
  readonly column: string;
  readonly keptMs: number;
}

/** How long failed attempts count (rules/sign-in#11). */
export const attemptsMs = 15 * 60_000;

const expired: readonly Expired[] = [
  { table: 'used_challenges', column: 'expires_at', keptMs: 0 },
  { table: 'sign_in_attempts', column: 'expires_at', keptMs: 0 },
  { table: 'failed_attempts', column: 'since', keptMs: attemptsMs },
  // So long an ended request is told from one that never was (rules/device-sign-in#8).
  { table: 'device_sign_ins', column: 'expires_at', keptMs: 10 * 60_000 },
];

/** @returns how many rows there were */
export async function removeExpired({
  control,
  clocks,
}: Pick<Service, 'control' | 'clocks'>): Promise<number> {
  const nowMs = clocks.realNow();
  const removed = await Promise.all(
    expired.map(({ table, column, keptMs }) =>
      control.query(`delete from control.${table} where ${column} <= $1`, [
        instantOf(nowMs - keptMs),
      ]),
    ),
  );
  return removed.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}

/** Marks sessions that have expired, so that whoever loads a person's finds the few that are open. @returns how many */
export async function endExpiredSessions({
  control,
  clocks,
}: Pick<Service, 'control' | 'clocks'>): Promise<number> {
  const { rowCount } = await control.query(
    `update control.sessions set ended_at = expires_at, end_reason = 'expired'
     where ended_at is null and expires_at <= $1`,
    [instantOf(clocks.realNow())],
  );
  return rowCount ?? 0;
}
