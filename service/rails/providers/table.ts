import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** The ports that a provider's message can be about. */
export const railPorts = ['bank', 'identity', 'aggregator', 'messages'] as const;

/** `received`: it is kept, and nothing has come of it yet (rules/rails#6). */
export const railMessageStates = ['received', 'taken', 'parked', 'refused'] as const;
export type RailMessageState = (typeof railMessageStates)[number];

/** Messages of providers: each is kept before anything is done about it. */
export const railMessages = table({
  name: 'rail_messages',
  key: ['id'],
  unique: { message: ['provider', 'message_id'] },
  frozen: ['provider', 'message_id', 'port', 'record', 'digest', 'received_at'],
  columns: {
    id: column.uuid,
    provider: column.text,
    /** The provider's own id of it. */
    message_id: column.text,
    port: words(railPorts),
    /** The uuid that its fact names. */
    record: orNull(column.uuid),
    /** The digest of its fact: another fact under the same id is no repetition. */
    digest: column.uuid,
    /** In real time. */
    received_at: column.instant,
    /** The receipt, chosen headers and the body as it came; null: erased. */
    said_sealed: orNull(column.text),
    state: words(railMessageStates),
    /** The effect of its fact, or the code of its refusal; null: nothing yet. */
    result: orNull(column.text),
    acted_at: orNull(column.instant),
    /** How often people have had it acted on again. */
    replays: column.integer,
    closed_at: orNull(column.instant),
    closed_by: orNull(column.text),
    close_reason: orNull(column.text),
  },
  audited: ({ provider, message_id, state, result, replays, closed_at }) => ({
    provider,
    message_id,
    state,
    result,
    replays,
    closed_at,
  }),
});
export type RailMessageRow = RowOf<typeof railMessages>;

/** The place that a message is sealed for. */
export const railMessageSeal = (id: string): string => `rail message ${id}`;

/** The objects that providers must remember (rules/rails#13). */
export const railObjects = table({
  name: 'rail_objects',
  key: ['id'],
  unique: { object: ['provider', 'kind', 'key'] },
  frozen: ['provider', 'kind', 'key', 'created_at'],
  columns: {
    id: column.uuid,
    provider: column.text,
    kind: column.text,
    key: column.text,
    record: orNull(column.uuid),
    value_sealed: column.text,
    created_at: column.instant,
    updated_at: column.instant,
  },
  audited: ({ provider, kind, record }) => ({ provider, kind, record }),
});

/** The place that the value of an object is sealed for. @param named provider, kind and key */
export const railObjectSeal = (named: string): string => `rail object ${named}`;
