import { type Move, recipesOf } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { LifecycleTable } from '../../contract/records/lifecycles.ts';

const viewOf = (name: string, move: Move): LifecycleTable['moves'][number] => ({
  name,
  from: move.from === 'new' ? null : [...move.from],
  to: move.to === 'same' ? null : move.to,
  by: [move.by].flat(),
  event: move.event,
  posts: [...recipesOf(move)],
  simulate: move.simulate ?? null,
});

/** The lifecycle tables that the engine runs. */
const tables = Object.values(lifecycles).map(({ resource, states, moves }) => ({
  resource,
  states: [...states],
  moves: Object.entries<Move>(moves).map(([name, move]) => viewOf(name, move)),
}));

/** GET /portal/api/lifecycles */
export const listLifecycles = async (): Promise<Page<LifecycleTable>> => wholeList(tables);
