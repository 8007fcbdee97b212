import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Origin } from './sessions/sessions.ts';

/**
 * When a session and a key were last used. No command writes it: every request would wait behind commands in the queue
 * of the engine, and nobody does anything by it (docs/decisions/people.md).
 */

type Parts = Pick<Service, 'clocks'>;

/** How exactly it is noted, so that not every request writes. */
const touchMs = 60_000;

/** The request itself meets a database that is away. */
const ignored = (noted: Promise<unknown>): void => void noted.catch(() => {});

interface UsedSession {
  readonly id: string;
  readonly lastUsedAt: string;
}

export function touchSession(
  { control, clocks }: Parts & Pick<Service, 'control'>,
  { id, lastUsedAt }: UsedSession,
  { address, browser }: Origin,
): void {
  const nowMs = clocks.realNow();
  if (epochMs(lastUsedAt) > nowMs - touchMs) return;
  ignored(
    control.query(
      `update control.sessions set last_used_at = greatest(last_used_at, $2), last_address = $3,
         last_browser = $4 where id = $1`,
      [id, instantOf(nowMs), address, browser],
    ),
  );
}

interface UsedKey {
  readonly id: string;
  readonly last_used_at: string | null;
}

/** Two processes that note the same minute write once. */
export function touchKey(
  { pool, clocks }: Parts & Pick<Service, 'pool'>,
  { id, last_used_at }: UsedKey,
): void {
  const nowMs = clocks.realNow();
  if (last_used_at !== null && epochMs(last_used_at) > nowMs - touchMs) return;
  ignored(
    pool.query(
      `update control.api_keys set last_used_at = $2
       where id = $1 and (last_used_at is null or last_used_at <= $3)`,
      [id, instantOf(nowMs), instantOf(nowMs - touchMs)],
    ),
  );
}
