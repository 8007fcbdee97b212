import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { simulateFailures } from '@tenant-payments/contract/resources/simulations.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { RecordPage } from '../../contract/records/records.ts';
import { bankOrderOf } from './bank_order.ts';
import { findRecord } from './find.ts';
import { hasLifecycle } from './kinds.ts';
import { relatedTo } from './related.ts';
import { timelineOf } from './timeline.ts';

type ShownMove = RecordPage['moves'][number];

const failuresOf: Readonly<Record<string, { readonly codes: readonly string[] } | undefined>> =
  simulateFailures;

function moveView(name: string, move: Move, isSandbox: boolean): ShownMove {
  const simulate = (isSandbox && move.simulate) || null;
  return {
    name,
    to: move.to === 'same' ? null : move.to,
    by: [move.by].flat(),
    event: move.event,
    simulate,
    failure_codes: simulate === null ? [] : [...(failuresOf[simulate]?.codes ?? [])],
  };
}

/** The moves of its lifecycle that begin in this status. */
function movesFrom(kind: string, status: string | null, isSandbox: boolean): ShownMove[] {
  if (!hasLifecycle(kind) || status === null) return [];
  return Object.entries<Move>(lifecycles[kind].moves)
    .filter(([, { from }]) => from !== 'new' && from.includes(status))
    .map(([name, move]) => moveView(name, move, isSandbox));
}

/**
 * GET /portal/api/records/{id}: any record by its id (rules/operations#54).
 * @throws ApiError not_found: unknown, or another Tenant's
 */
export const getRecord =
  ({ environment }: Pick<Service, 'environment'>) =>
  async (context: ReadContext, { id }: { id: string }): Promise<RecordPage> => {
    const named = anyIdOf(id);
    const found = named && (await findRecord(context, named.kind, named.uuid));
    if (!found) throw fail('not_found');
    const { kind, uuid } = named;
    const [timeline, related, bank_order] = await Promise.all([
      timelineOf(context, kind, uuid),
      relatedTo(context, kind, uuid, found),
      bankOrderOf(context, kind, uuid),
    ]);
    const { record, status } = found;
    const moves = movesFrom(kind, status, environment === 'sandbox');
    return { id, resource: kind, record, status, moves, timeline, bank_order, related };
  };
