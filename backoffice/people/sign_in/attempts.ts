import { ApiError } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { networkOf } from '@tenant-payments/service/http/auth/network.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { attemptsMs } from '../expired.ts';

/**
 * Failed attempts to sign in (rules/sign-in#11). One statement counts them, and no command: a stranger's guesses would
 * make the batches that they are in be decided again (rules/sign-in#11).
 */
const maximum = 10;

/** The names that failures are counted for. A person is named by what was given, known or not. */
export const countedFor = {
  address: (ip: string) => `address ${networkOf(ip)}`,
  email: (email: string) => `email ${tokenHash(email)}`,
  person: (id: string) => `person ${id}`,
  invitation: (id: string) => `invitation ${id}`,
};

export type Attempts = ReturnType<typeof openAttempts>;

export function openAttempts({ control, clocks }: Pick<Service, 'control' | 'clocks'>) {
  /** Counts before it is known how the attempt ends, so that parallel guesses are counted too. */
  async function take(name: string): Promise<void> {
    const nowMs = clocks.realNow();
    const { rows } = await control.query<{ failures: number; since: string }>(
      `insert into control.failed_attempts as f (counted_for, since, failures) values ($1, $2, 1)
       on conflict (counted_for) do update set
         failures = case when f.since <= $3 then 1 else f.failures + 1 end,
         since = case when f.since <= $3 then $2 else f.since end
       returning failures, since`,
      [name, instantOf(nowMs), instantOf(nowMs - attemptsMs)],
    );
    const [row] = rows;
    if (!row || row.failures <= maximum) return;
    const retryAfter = Math.max(1, Math.ceil((Date.parse(row.since) + attemptsMs - nowMs) / 1_000));
    throw new ApiError('rate_limited', {
      retryAfter,
      details: { retry_after: retryAfter },
      message: 'too many failed attempts to sign in',
    });
  }

  return {
    /**
     * Runs an attempt by a proof that nobody guesses: a passkey, a provider's answer, a link of 256 bits. A
     * right one is never refused, whatever others failed with; a wrong one counts.
     * @throws ApiError rate_limited after ten that failed within 15 minutes
     */
    async proven<T>(names: readonly string[], attempt: () => Promise<T>): Promise<T> {
      try {
        return await attempt();
      } catch (error) {
        for (const name of names) await take(name);
        throw error;
      }
    },
    /**
     * Runs an attempt by what can be guessed. One that succeeds is not counted.
     * @throws ApiError rate_limited after ten that failed within 15 minutes
     */
    async of<T>(names: readonly string[], attempt: () => Promise<T>): Promise<T> {
      for (const name of names) await take(name);
      const result = await attempt();
      await control.query(
        `update control.failed_attempts set failures = greatest(failures - 1, 0)
         where counted_for = any ($1)`,
        [names],
      );
      return result;
    },
  };
}
