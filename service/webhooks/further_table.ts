import { type EventType, eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, orNull, type RowOf, table, wordLists } from '@tenant-payments/engine/table.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';

/** Webhook endpoints of a Tenant beside its first one (rules/webhooks#35). */

const { shown: shownId, uuidOf } = endpointIds;

/** The uuid of a further endpoint; null: none can have this id. */
export const endpointUuidOf = uuidOf;

/** The same. @throws ApiError not_found: none can have this id */
export function endpointUuid(id: string): string {
  const uuid = uuidOf(id);
  if (uuid === null) throw fail('not_found');
  return uuid;
}

export const furtherEndpoints = table({
  name: 'further_endpoints',
  key: ['id'],
  sets: ['all'],
  setOnly: { all: 't.deleted_at is null' },
  columns: {
    id: column.uuid,
    name: column.text,
    url: column.text,
    enabled: column.boolean,
    types: orNull(wordLists(eventTypes)),
    created_at: column.instant,
    updated_at: column.instant,
    deleted_at: orNull(column.instant),
  },
  frozen: ['created_at'],
  audited: ({ id, name, url, enabled, types, deleted_at }) => ({
    id: shownId(id),
    name,
    url,
    enabled,
    types,
    deleted_at,
  }),
});
export type EndpointRow = RowOf<typeof furtherEndpoints>;

/** A further endpoint as it is shown. */
export interface ShownEndpoint {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly types: EventType[] | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export type ShownColumns = Pick<EndpointRow, keyof ShownEndpoint>;

/** The endpoint as it is shown. */
export const shownEndpoint = (row: ShownColumns): ShownEndpoint => ({
  id: shownId(row.id),
  name: row.name,
  url: row.url,
  enabled: row.enabled,
  types: row.types && [...row.types],
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The one with this id. @throws ApiError not_found: unknown, deleted, or another Tenant's */
export function namedEndpoint(rows: readonly EndpointRow[], id: string): EndpointRow {
  const row = rows.find((one) => one.id === uuidOf(id));
  if (!row) throw fail('not_found');
  return row;
}
