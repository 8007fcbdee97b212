import { type Actor, serviceActor } from '../actor.ts';
import type { Entity, Values } from '../entity.ts';
import { assert } from '../fail.ts';
import { scopeOf } from '../platform.ts';
import type { AnyTable } from '../table.ts';
import type { AuditAct, AuditEntry } from '../write/flush_audit.ts';

/** An action of somebody by a command, as its submission names it (rules/audit#1). */
export interface Act {
  /** The operation's id, or another name of rules/audit#4. */
  readonly act: string;
  /** The record acted on, where it is known before; null: the first row that it changes. */
  readonly record: string | null;
  /** In whose chain the row stands: the Tenant's uuid, or `platform`. */
  readonly scope: string;
  /** A second chain that it concerns as much: it has the same row. */
  readonly alsoIn?: string;
}

/** An act as the command itself tells it. Parts that it leaves out are as its submission and the changed rows say. */
export interface AuditEntryDraft extends Partial<AuditAct> {
  readonly scope?: string;
  readonly alsoIn?: string;
  /** The actor, where that is only known once it is decided, as at a sign-in. */
  readonly actor?: Actor;
}

/** A value without secrets and without what says who a person is. */
export type Redact = (value: object) => object;

interface Acting {
  readonly act: Act | null;
  readonly actor: Actor;
  readonly tenantId: string;
  /** Absent: a row without `audited` is not shown. */
  readonly redact?: Redact | undefined;
}

/** A row that a command has made or changed. */
interface Change {
  readonly table: string;
  readonly id: string | null;
  readonly before: Values | null;
  readonly after: Values;
}

/** Fields that change with every version. */
const unmentioned = new Set(['version', 'updated_at']);

/** How the audit shows the rows of a table; null: not at all. */
function showing(table: AnyTable, redact: Redact | undefined): ((row: Values) => Values) | null {
  const { audited, present } = table;
  if (audited) return (row) => audited(row as never) as Values;
  return present && redact ? (row) => redact(present(row as never)) as Values : null;
}

const without = (values: Values, isKept: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));

/** The fields of a row that differ; null: none. */
function changeOf({ table, row, draft }: Entity, isNew: boolean, redact?: Redact): Change | null {
  const show = showing(table, redact);
  if (!show || !draft) return null;
  const after = show(row);
  const key = table.key.length === 1 ? String(row[table.key[0] ?? '']) : null;
  const id = typeof after.id === 'string' ? after.id : key;
  const of = { table: table.name, id };
  if (isNew)
    return { ...of, before: null, after: without(after, (name) => !unmentioned.has(name)) };
  const before = show(draft.undo);
  const differs = (name: string) =>
    !unmentioned.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changed = { before: without(before, differs), after: without(after, differs) };
  const count = Object.keys(changed.before).length + Object.keys(changed.after).length;
  return count === 0 ? null : { ...of, ...changed };
}

/** The record's own fields, and those of other rows by their table. */
function together(
  own: Change | undefined,
  changes: readonly Change[],
  of: 'before' | 'after',
): object | null {
  const others = changes.filter((change) => change !== own && change[of] !== null);
  const listed = [...new Set(others.map(({ table }) => table))].map((name): [string, object] => [
    name,
    others
      .filter(({ table }) => table === name)
      .map((row) => ({ ...(row.id !== null && { id: row.id }), ...row[of] })),
  ]);
  if (!own?.[of] && listed.length === 0) return null;
  return { ...own?.[of], ...Object.fromEntries(listed) };
}

/** Record, before and after, from the difference of the rows. */
function difference(changes: readonly Change[], record: string | null) {
  const own = changes.find(({ id }) => id !== null && id === record) ?? changes[0];
  return {
    record: record ?? own?.id ?? null,
    before: together(own, changes, 'before'),
    after: together(own, changes, 'after'),
  };
}

/**
 * The rows of the audit for an accepted command: what it has said, and the act of its submission, which it need
 * not say (rules/audit#1).
 */
export function auditEntries(
  { act, actor, tenantId, redact }: Acting,
  said: readonly AuditEntryDraft[],
  touched: readonly Entity[],
  created: readonly Entity[],
): AuditEntry[] {
  const isSaid = said.some((one) => (one.act ?? act?.act) === act?.act);
  const all = act === null || isSaid ? said : [...said, {}];
  const isNew = new Set(created);
  const changes = touched.flatMap((entity) => changeOf(entity, isNew.has(entity), redact) ?? []);
  return all.flatMap((one) => {
    const name = one.act ?? act?.act;
    const by = one.actor ?? actor;
    assert(name !== undefined, 'what a command says to the audit is an act');
    assert(act === null || by !== serviceActor, 'an act names who does it');
    const isOfSubmission = name === act?.act;
    const record = one.record === undefined && isOfSubmission ? act.record : (one.record ?? null);
    const isTold = one.before !== undefined || one.after !== undefined || !isOfSubmission;
    const facts = isTold
      ? { record, before: one.before ?? null, after: one.after ?? null }
      : difference(changes, record);
    const entry = {
      ...facts,
      act: name,
      actor: by,
      outcome: 'done',
      scope: one.scope ?? act?.scope ?? scopeOf(tenantId),
    };
    const also = one.alsoIn ?? (isOfSubmission ? act.alsoIn : undefined);
    return also === undefined || also === entry.scope
      ? [entry]
      : [entry, { ...entry, scope: also }];
  });
}
