import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { type EventType, moveRows, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { Values } from '../../core/entity.ts';

/** What an event tells of its record. */
export interface Step {
  readonly resource: Resource;
  /** `begins`: there was none before. `other`: something changed, and the status stayed. */
  readonly change: 'begins' | 'status' | 'other';
  /** The status before; the same where it stayed. */
  readonly from: string;
  readonly to: string;
  /** Its version after the step. */
  readonly version: number;
}

/** What changes while the status stays: where an example of it stands, and an earlier value. */
const otherChanges: {
  readonly [R in Resource]?: { at: string; before: (record: Values) => Values };
} = {
  customer: { at: 'approved', before: ({ pin_locked }) => ({ pin_locked: !pin_locked }) },
  linked_account: {
    at: 'verified',
    before: ({ withdrawal_hold_until: until, updated_at }) => ({
      withdrawal_hold_until: until === null ? updated_at : null,
    }),
  },
};

/** Where a record does not show its status by that name. */
const withStatus: { readonly [R in Resource]?: (record: Values, status: string) => Values } = {
  customer: ({ verification }, status) => ({
    verification: { ...(verification as Values), status },
  }),
  owner: (_record, status) => ({ verification_status: status }),
};

/** The resource that events of this type are of. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as Resource;

/** The lifecycle's status in what is shown. */
export function statusOf(resource: Resource, record: Values): string {
  // Made once and never changed, they show none.
  if (resource === 'statement' || resource === 'reconciliation_report') return 'available';
  if (resource === 'customer') return String((record.verification as Values).status);
  return String(resource === 'owner' ? record.verification_status : record.status);
}

const firstStates = new Set(
  moveRows.flatMap(({ resource, move }) => (move.from === 'new' ? `${resource} ${move.to}` : [])),
);

/**
 * A move that ends so: one that the sandbox plays, where there is one. Of payments it plays only
 * those by bank, and the example is one from a balance (contract: the sample event).
 */
function moveOf(type: EventType): Move | null {
  const moves = moveRows.flatMap(({ move }) => (move.event === type ? move : []));
  if (resourceOf(type) === 'payment') return moves[0] ?? null;
  return moves.find(({ simulate }) => simulate !== undefined) ?? moves[0] ?? null;
}

/**
 * The step that an event of this type tells of.
 * @param status the record's own; null: an example is asked for
 */
export function stepOf(type: EventType, status: string | null): Step {
  const resource = resourceOf(type);
  const move = moveOf(type);
  // What is told as updated may have no move of its own (decisions 1.2).
  if (!move || move.to === 'same') {
    const stays = status ?? otherChanges[resource]?.at ?? '';
    return { resource, change: 'other', from: stays, to: stays, version: 3 };
  }
  const { to } = move;
  if (move.from === 'new') return { resource, change: 'begins', from: to, to, version: 1 };
  const from = move.from.find((state) => state !== status) ?? to;
  const version = firstStates.has(`${resource} ${from}`) ? 2 : 3;
  return { resource, change: 'status', from, to, version };
}

/** A record as it may have been before the step; null where it begins. */
export function recordBefore({ resource, change, from }: Step, record: Values): Values | null {
  if (change === 'begins') return null;
  if (change === 'other') return { ...record, ...otherChanges[resource]?.before(record) };
  return { ...record, ...(withStatus[resource]?.(record, from) ?? { status: from }) };
}
