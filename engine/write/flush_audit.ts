import type { Actor } from '../actor.ts';
import type { Statement } from './sql.ts';

/** An act of which the audit keeps a row (rules/audit#1). */
export interface AuditAct {
  /** The operation's id, or another name of rules/audit#4. */
  readonly act: string;
  /** The record acted on: an id, never a name. */
  readonly record: string | null;
  /** The values that changed: ids, amounts and settings: nothing that says who a person is, and no secret. */
  readonly before?: object | null;
  readonly after?: object | null;
}

export interface AuditEntry extends AuditAct {
  /** The Tenant's uuid, or `platform`. */
  readonly scope: string;
  readonly actor: Actor;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
}

/** A row as it was written. */
export interface AuditRow {
  readonly scope: string;
  readonly number: number;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly person_id: string | null;
  readonly act: string;
  readonly record: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly outcome: string;
  /** The row with before and after, as it is hashed. */
  readonly body: string;
  readonly previous_hash: string;
  readonly hash: string;
}

/** Its columns. */
export const auditColumns: readonly (keyof AuditRow)[] = [
  'scope',
  'number',
  'at',
  'actor_kind',
  'actor_id',
  'person_id',
  'act',
  'record',
  'address',
  'request_id',
  'outcome',
  'body',
  'previous_hash',
  'hash',
];

const given = ({ scope, actor, act, record, outcome, before, after }: AuditEntry) => ({
  scope,
  actor_kind: actor.kind,
  actor_id: actor.id,
  person_id: actor.personId,
  act,
  record,
  address: actor.address,
  request_id: actor.requestId,
  outcome,
  before: before ?? null,
  after: after ?? null,
});

/**
 * Appends to the chains of the entries' scopes. It locks their heads until the end of the transaction,
 * so it is the last statement of one (rules/audit#6).
 */
export function appendAuditRows(
  entries: readonly AuditEntry[],
  answered?: (rows: readonly AuditRow[]) => void,
): Statement {
  return {
    name: 'append audit',
    text: `select ${auditColumns.join(', ')} from control.append_audit($1::jsonb)`,
    values: [JSON.stringify(entries.map(given))],
    ...(answered ? { answered: (rows) => answered(rows as readonly AuditRow[]) } : {}),
  };
}
