import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Entity, Values } from '../entity.ts';
import type { Instant } from '../time/instant.ts';

/** An event as it will be stored, packed: the body is the very text that is signed and sent. */
export interface EventText {
  readonly tenantId: string;
  readonly id: string;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly version: number;
  readonly body: string;
  /** The record alone, as the reply to the command shows it. */
  readonly object: string;
  readonly at: Instant;
  /** Nothing happened to the record: an event to test a receiver (rules/webhooks#26). */
  readonly sample: boolean;
  /** The uuid of the request that caused it (rules/events#16). */
  readonly requestId: string | null;
}

export interface EventContext {
  readonly environment: 'sandbox' | 'production';
  readonly newId: () => string;
  readonly tenantId: string;
  readonly requestId: string | null;
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
  readonly object: string;
  readonly previous: string | null;
  readonly sample?: boolean;
}

/** Its id is made here: events are listed and sent in the order in which they are written. */
export function writeEvent(context: EventContext, parts: EventParts): EventText {
  const id = context.newId();
  const head = `{"id":"${publicId('event', id)}","object":"event","type":"${parts.type}","api_version":"v1","environment":"${context.environment}","created_at":"${parts.at}"`;
  return {
    tenantId: context.tenantId,
    id,
    type: parts.type,
    objectType: parts.objectType,
    objectId: parts.objectId,
    version: parts.version,
    object: parts.object,
    body: `${head},"data":{"object":${parts.object},"previous_attributes":${parts.previous}}}`,
    at: parts.at,
    sample: parts.sample ?? false,
    requestId: context.requestId,
  };
}
