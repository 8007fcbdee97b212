import type { Actor } from '@tenant-payments/engine/actor.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import { readerOf } from '@tenant-payments/service/http/files/access.ts';
import { redactedText } from '@tenant-payments/service/http/log/redact.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { reviewMoves } from '../contract/operate/review.ts';

type Params = Readonly<Record<string, string>>;

/** The act of a reviewer's move, such as `review.customers.erase`. */
export const reviewAct = (resource: string, move: string): string => `review.${resource}.${move}`;

function isMove(resource: string, move: string): boolean {
  const moves: Readonly<Record<string, readonly string[]>> = reviewMoves;
  return Object.hasOwn(moves, resource) && (moves[resource] ?? []).includes(move);
}

/** How the audit names an operation: by its id, and a reviewer's move by resource and move. */
export function actOf({ id }: Pick<PortalEndpoint, 'id'>, params: Params = {}): string {
  if (id !== 'reviewRecord') return id;
  const { resource = '', move = '' } = params;
  return isMove(resource, move) ? reviewAct(resource, move) : 'review';
}

interface Asked {
  readonly tenantId: string;
  readonly signedIn?: { readonly scope: string | null } | null;
  readonly actor?: Pick<Actor, 'personId' | 'roles'> | undefined;
}

/**
 * A Tenant's acts stand in its own chain, all others in the platform's. What a person does to the own
 * sign-in stands where the session or the API key acts, whatever Tenant staff name.
 */
export function scopeOf(
  { of }: Pick<PortalEndpoint, 'of'>,
  { tenantId, signedIn, actor }: Asked,
): string {
  if (of === 'person' && signedIn) return signedIn.scope ?? platform;
  if (of === 'person' && actor && readerOf(actor)?.actedAs === 'staff') return platform;
  return of === 'platform' || tenantId === '' ? platform : tenantId;
}

const idShape = /^[\w-]{1,64}$/;

/** The id that a caller sent; null when it has not the form of one, or looks like a secret. */
export const recordOf = ({ id = '' }: Params = {}): string | null =>
  idShape.test(id) && redactedText(id) === id ? id : null;
