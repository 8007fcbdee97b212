import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Advance } from '@tenant-payments/service/jobs/advance.ts';
import type { Act, Moment } from './acts.ts';
import { verbs } from './verbs.ts';
import { openScenes, type World } from './world.ts';

/** An act that the service refused, with everything of its chain that would have followed. */
export interface Refused {
  readonly act: Act;
  readonly code: string;
}

type Verb = (scene: ReturnType<ReturnType<typeof openScenes>>, act: Act) => Promise<void>;

/** Plays moments on a Tenant's clock. */
export function openPlayer(world: World, advance: Pick<Advance, 'advance'>) {
  const sceneOf = openScenes(world);
  const { tenantId } = world;

  /** @returns the refusal that ended the chain */
  async function playChain(name: string, acts: readonly Act[]): Promise<Refused | null> {
    for (const [index, act] of acts.entries()) {
      try {
        await (verbs[act.do] as Verb)(sceneOf(`${name}-${index}`), act);
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return { act, code: error.code };
        throw error;
      }
    }
    return null;
  }

  return {
    /** Moves the clock to an instant; one that has gone further stays where it is. */
    async moveTo(to: Instant): Promise<void> {
      try {
        await advance.advance(tenantId, { to });
      } catch (error) {
        const reason = error instanceof ApiError && error.details?.reason;
        if (reason !== 'past') throw error;
      }
    },
    /** @param index its place in the plan @returns what was refused */
    async play({ chains }: Moment, index: number): Promise<readonly Refused[]> {
      const ends = await Promise.all(
        chains.map((acts, chain) => playChain(`${index}-${chain}`, acts)),
      );
      return ends.filter((end) => end !== null);
    },
  };
}
