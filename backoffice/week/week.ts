import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { keepProof } from '@tenant-payments/service/invariants/keep_proof.ts';
import { verifyLedger } from '@tenant-payments/service/invariants/verify.ts';
import type { Advance } from '@tenant-payments/service/jobs/advance.ts';
import { onlyHere } from '@tenant-payments/service/operations/alone.ts';
import type { SampleDependencies } from '@tenant-payments/service/sandbox/sample/api.ts';
import { sampleSettings } from '@tenant-payments/service/sandbox/sample/sample.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createTenant } from '../tenants/create.ts';
import { openEndpoint } from './endpoint.ts';
import { firstDay } from './people.ts';
import { planWeek } from './plan.ts';
import { openPlayer, type Refused } from './player.ts';
import { type Progress, readProgress, writeProgress } from './progress.ts';
import { reviewerOf } from './staff.ts';

/** The Tenant of the week; its id is the same in every sandbox, so that it is made once. */
export const weekName = 'Maple Market';
export const weekTenantId = '01900000-0000-7000-8000-6d61706c6500';

const dayMs = 86_400_000;
/** Days before the end from which the daily jobs run: those of the quiet time are many and say little. */
const dailyFrom = 9;

export interface Week {
  /** Plays what is left of it; resolves when that is done, or `stop` was called. Never rejects. */
  play(): Promise<void>;
  /** Ends it after the moment under way. */
  stop(): Promise<void>;
}

export interface WeekParts {
  readonly dependencies: SampleDependencies;
  /** Moves the Tenant's clock. */
  readonly advance: Advance;
  readonly log: Logger;
  /** Told at each moment, for tests. */
  readonly onPlayed?: (played: number, refused: readonly Refused[]) => void;
}

/** Its cell, which may be another by now (rules/cells#15); null: it is in none. */
async function cellOfWeek({ db }: Pick<Service, 'db'>): Promise<string | null> {
  const { rows } = await sql<{ cell: string }>`
    select cell from control.tenants where tenant_id = ${weekTenantId}`.execute(db);
  return rows[0]?.cell ?? null;
}

/**
 * Makes the Tenant where there is none.
 * @returns how far it is; null: it is whole, in another cell, or nobody knows how far it came
 */
async function begin({ service }: SampleDependencies): Promise<Progress | null> {
  const { dataDir } = service.config;
  const known = await readProgress(dataDir);
  const cell = await cellOfWeek(service);
  if (cell !== null) return known?.isDone || cell !== service.cell ? null : known;
  const end = instantOf(service.clocks.realNow());
  const progress: Progress = { end, played: 0, ids: {}, isDone: false };
  await writeProgress(dataDir, progress);
  await createTenant(service, {
    name: weekName,
    tenantId: weekTenantId,
    settings: sampleSettings,
    past: { clockMs: (firstDay + 1) * dayMs, dailyMs: dailyFrom * dayMs },
  });
  return progress;
}

/** The sample week of a sandbox (rules/sandbox#42). */
export function openWeek({ dependencies, advance, log, onPlayed }: WeekParts): Week {
  const { service } = dependencies;
  const { dataDir } = service.config;
  let isStopped = false;
  let playing: Promise<void> | null = null;

  async function playOn(begun: Progress): Promise<void> {
    const tenantId = weekTenantId;
    const endpoint = openEndpoint(service, tenantId);
    const staff = await reviewerOf(service);
    const ids = new Map(Object.entries(begun.ids));
    const player = openPlayer({ dependencies, tenantId, ids, staff, endpoint }, advance);
    const { end } = begun;
    const keep = (played: number, isDone = false) =>
      writeProgress(dataDir, { end, played, ids: Object.fromEntries(ids), isDone });
    const moments = planWeek(end);
    try {
      for (const [index, moment] of moments.entries()) {
        if (index < begun.played) continue;
        if (isStopped) return;
        await player.moveTo(moment.at);
        const refused = await player.play(moment, index);
        await keep(index + 1);
        onPlayed?.(index + 1, refused);
      }
      await player.moveTo(instantOf(service.clocks.realNow()));
      // As each night of the week would have: operations would call a ledger of this age unproven.
      await keepProof(service, { tenantId, cause: 'night' }, () =>
        verifyLedger(service.pool, { tenantId }),
      );
      await keep(moments.length, true);
    } finally {
      endpoint.close();
    }
  }

  async function play(): Promise<void> {
    await onlyHere(service.pool, 'week', async () => {
      const progress = await begin(dependencies);
      if (progress !== null) await playOn(progress);
    });
  }

  return {
    play() {
      playing ??= play().catch((error: unknown) =>
        log.warn({ fault: faultFacts(error) }, 'the sample week was not finished'),
      );
      return playing;
    },
    async stop() {
      isStopped = true;
      await playing;
    },
  };
}
