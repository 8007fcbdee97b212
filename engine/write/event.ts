import type { Entity, Values } from '../entity.ts';
import type { Instant } from '../time/instant.ts';

/** An event as it will be stored. */
export interface EventText extends EventParts {
  readonly tenantId: string;
  readonly id: string;
  readonly environment: 'sandbox' | 'production';
  /** Nothing happened to the record: an event to test a receiver (rules/webhooks#26). */
  readonly sample: boolean;
  /** The uuid of the request that caused it (rules/events#16). */
  readonly requestId: string | null;
  /** The trace of that request; null: none. */
  readonly trace: string | null;
}

export interface EventContext {
  readonly environment: 'sandbox' | 'production';
  readonly newId: () => string;
  readonly tenantId: string;
  readonly requestId: string | null;
  readonly trace: string | null;
}

/** Fields that change with every version, so previous_attributes leaves them out (rules/events#7). */
const unmentioned = new Set(['version', 'updated_at']);

/** The earlier values of the top-level fields that changed, as JSON text. */
export function previousAttributes(before: Values, after: Values): string {
  let text = '';
  for (const key in after) {
    if (unmentioned.has(key)) continue;
    const was = before[key];
    const is = after[key];
    if (was === is) continue;
    const earlier = JSON.stringify(was ?? null);
    if (typeof is === 'object' && earlier === JSON.stringify(is)) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${earlier}`;
  }
  return `{${text}}`;
}

/** The event of a sealed version. `previous` is null when a record is created. */
export function eventOf(
  entity: Entity,
  type: string,
  object: string,
  previous: string | null,
): EventParts {
  return {
    // A record's events never go back in time, whichever process wrote the one before.
    at: String(entity.row.updated_at),
    type,
    objectType: entity.table.lifecycle?.resource ?? entity.table.name,
    objectId: String(entity.row.id),
    version: Number(entity.row.version),
    object,
    previous,
  };
}

export interface EventParts {
  readonly at: Instant;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly version: number;
  /** The record alone, as JSON text: the reply to the command shows it too. */
  readonly object: string;
  /** The earlier values of what changed, as JSON text; null where a record begins. */
  readonly previous: string | null;
  readonly sample?: boolean;
  /** The endpoint beside the first one to which alone a sample goes, whatever its types; absent: to all that get it. */
  readonly onlyTo?: string;
}

/** Its id is made here: events are listed and sent in the order in which they are written. */
export const writeEvent = (
  { tenantId, environment, requestId, trace, newId }: EventContext,
  parts: EventParts,
  id = newId(),
): EventText => ({ sample: false, ...parts, tenantId, id, environment, requestId, trace });
