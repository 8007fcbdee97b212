import type { Move } from './core/lifecycle.ts';
import { type EventType, moveRows, type Resource } from './lifecycles.ts';

/** A record as it is shown. */
type Values = Readonly<Record<string, unknown>>;

/** A step of a record, as its event reports it. */
export interface Step {
  readonly resource: Resource;
  /** `begins`: the record was created. `other`: something else than the status changed. */
  readonly change: 'begins' | 'status' | 'other';
  /** The status before; the same where it did not change. */
  readonly from: string;
  readonly to: string;
  /** Its version after the step. */
  readonly version: number;
}

/** Changes other than of the status: in which status an example is, and an earlier value. */
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
  dispute: {
    at: 'investigating',
    before: ({ regulation_e }) => ({ regulation_e: !regulation_e }),
  },
};

/** Resources that show their status in another field than `status`. */
const withStatus: { readonly [R in Resource]?: (record: Values, status: string) => Values } = {
  customer: ({ verification }, status) => ({
    verification: { ...(verification as Values), status },
  }),
  owner: (_record, status) => ({ verification_status: status }),
};

/** The resource that events of this type are of. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as Resource;

/** The fields of a record that show that it is in a state. */
export const statusFields = (resource: Resource, record: Values, status: string): Values =>
  withStatus[resource]?.(record, status) ?? { status };

/** The lifecycle's status in a shown record. */
export function statusOf(resource: Resource, record: Values): string {
  // These never change and show no status.
  if (resource === 'statement' || resource === 'reconciliation_report') return 'available';
  if (resource === 'customer') return String((record.verification as Values).status);
  return String(resource === 'owner' ? record.verification_status : record.status);
}

const firstStates = new Set(
  moveRows.flatMap(({ resource, move }) => (move.from === 'new' ? `${resource} ${move.to}` : [])),
);

/**
 * A move with this event: one that can be simulated, where there is one. Payments are simulated by
 * bank only, while the example is one from a balance, so of them it is the first.
 */
function moveOf(type: EventType): Move | null {
  const moves = moveRows.flatMap(({ move }) => (move.event === type ? move : []));
  if (resourceOf(type) === 'payment') return moves[0] ?? null;
  return moves.find(({ simulate }) => simulate !== undefined) ?? moves[0] ?? null;
}

/**
 * The step that an event of this type reports.
 * @param status the record's own; null for an example
 */
export function stepOfEvent(type: EventType, status: string | null): Step {
  const resource = resourceOf(type);
  const move = moveOf(type);
  // Some `updated` events have no move.
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

/** A record as it may have been before the step; null where the step creates it. */
export function recordBefore({ resource, change, from }: Step, record: Values): Values | null {
  if (change === 'begins') return null;
  if (change === 'other') return { ...record, ...otherChanges[resource]?.before(record) };
  return { ...record, ...statusFields(resource, record, from) };
}
