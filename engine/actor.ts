import type { ActorKind } from '@tenant-payments/contract/core/actors.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';

/** The one who acts, in the audit, in reviews and in approvals (rules/people#3). */
export interface Actor {
  readonly kind: ActorKind;
  /** The id of the person, key or client; else the name of the user or process. */
  readonly id: string;
  /** The person behind a session or an API key: maker and approver of a request differ by it. */
  readonly personId: string | null;
  /** The caller's rights here, and no others. */
  readonly roles: readonly Role[];
  /** The client's address, where there is one. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** The trace that the request belongs to, as its `traceparent`; absent or null: none. */
  readonly trace?: string | null;
}

/** How a row names its actor: `person prs_…`. */
export const actorName = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string => `${kind} ${id}`;

/** The service itself, as a job or an answer of the outside. */
export const serviceActor: Actor = {
  kind: 'process',
  id: 'service',
  personId: null,
  roles: [],
  address: null,
  requestId: null,
};

/** The same, for work of a trace. */
export const serviceActorIn = (trace: string | null | undefined): Actor =>
  trace ? { ...serviceActor, trace } : serviceActor;
