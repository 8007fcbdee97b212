import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import { moveRows } from '@tenant-payments/contract/lifecycles.ts';
import {
  otherSimulateActors,
  type SimulateName,
  simulateFailures,
} from '@tenant-payments/contract/resources/simulations.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { SimulateInput } from '@tenant-payments/service/sandbox_tools.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { watch } from '../../approvals/effect.ts';
import type { ApprovalEffect } from '../../contract/operate/approvals.ts';
import type { PossibleMove } from '../../contract/records/simulations.ts';
import { findRecord } from '../records/find.ts';

/** Carries the effect out of the engine, which takes back what was done before it. */
class Tried extends Error {
  readonly effect: ApprovalEffect;

  constructor(effect: ApprovalEffect) {
    super('a trial ends before its commit');
    this.effect = effect;
  }
}

/** The same command up to its commit. @throws Tried always; what the command refuses */
const trialOf = (simulate: Command<SimulateInput>): Command<SimulateInput> => ({
  ...simulate,
  name: 'try_simulation',
  isRead: true,
  decide: (work, loaded, input, prepared): never => {
    const watched = watch(work);
    simulate.decide(watched.work, loaded, input, prepared);
    throw new Tried(watched.effect());
  },
});

const actorsOf = (event: SimulateName): string[] => {
  const others: Readonly<Record<string, string>> = otherSimulateActors;
  const actors = moveRows.flatMap(({ move }) => (move.simulate === event ? [move.by].flat() : []));
  return [...new Set([...actors, ...(others[event] ? [others[event]] : [])])];
};

/** The codes of an event, its default first. Where it has none, one that is sent makes it another move. */
function waysOf(event: SimulateName): readonly (readonly string[])[] {
  const { codes = [], fallback = null } = simulateFailures[event] ?? {};
  if (fallback === null) return [[], ...codes.map((code) => [code])];
  return [[fallback, ...codes.filter((code) => code !== fallback)]];
}

/**
 * Whether a move with a failure code is worth showing: the flow knows the code, and it changes the
 * effect.
 */
function isOfItsOwn(move: PossibleMove, moves: readonly PossibleMove[]): boolean {
  if (move.failure_codes.length === 0) return true;
  const { event, effect, obstacle } = move;
  const plain = moves.find((other) => other.event === event && other.failure_codes.length === 0);
  const isSame = JSON.stringify(plain?.effect) === JSON.stringify(effect);
  return obstacle?.code !== 'parameter_invalid' && !(plain && isSame);
}

/** Each event that acts on records of its kind, and each way to send it. */
const movesOf = (events: readonly SimulateName[]) =>
  events.flatMap((event) =>
    waysOf(event).map((failure_codes) => ({
      event,
      by: actorsOf(event),
      failure_codes: [...failure_codes],
    })),
  );

/**
 * GET /portal/api/records/{id}/moves: each simulated event of the record, tried on it as it is
 * (rules/portal-records#2).
 * @throws ApiError not_found: unknown, or another Tenant's
 */
export const listPossibleMoves =
  ({ sandboxTools, engine }: Pick<Service, 'sandboxTools' | 'engine'>) =>
  async (context: ReadContext, { id }: { id: string }): Promise<Page<PossibleMove>> => {
    if (!sandboxTools) throw fail('sandbox_only');
    const { simulate, of } = sandboxTools.simulator;
    const named = anyIdOf(id);
    if (!named || !(await findRecord(context, named.kind, named.uuid))) throw fail('not_found');
    const trial = trialOf(simulate);
    const { tenantId, actor } = context;
    const tried = movesOf(of(named.kind)).map(async (move): Promise<PossibleMove> => {
      const { event, failure_codes } = move;
      const input = { event, object_id: id, failure_code: failure_codes[0] ?? null };
      try {
        await engine.submit(trial, { tenantId, actor, input });
      } catch (error) {
        if (error instanceof Tried) return { ...move, effect: error.effect, obstacle: null };
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        const { code, message, details } = error;
        const allowed = Array.isArray(details?.allowed) ? details.allowed.map(String) : [];
        return { ...move, effect: null, obstacle: { code, message, allowed } };
      }
      throw new Error('a trial has come to its end');
    });
    const moves = await Promise.all(tried);
    return wholeList(moves.filter((move) => isOfItsOwn(move, moves)));
  };
