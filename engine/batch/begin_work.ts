import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { recipesOf } from '@tenant-payments/contract/core/lifecycle.ts';
import type { Actor } from '../actor.ts';
import { type Draft, type Entity, entityFor, type Values } from '../entity.ts';
import { assert, fail } from '../fail.ts';
import type { JobName } from '../job_names.ts';
import {
  type AnyPosting,
  type BalanceRow,
  balances,
  type Entry,
  entriesOf,
  type Source,
} from '../ledger.ts';
import type { Scope } from '../load/reader.ts';
import { eventText } from '../packed_text/event_text.ts';
import { obeyRule, type RefusedInProduction } from '../production.ts';
import type { AnyTable, RowOf } from '../table.ts';
import type { TenantRow } from '../tenant.ts';
import { realInstantOf } from '../time/clock.ts';
import { addSeconds, type Instant, instantOf, later } from '../time/instant.ts';
import type { Work } from '../work.ts';
import type { ClaimedJobRow, NewValues, Patch } from '../work_types.ts';
import { type EventParts, eventOf, previousAttributes, writeEvent } from '../write/event.ts';
import type { StagedWrites } from '../write/staged.ts';
import { transactionEvent } from '../write/transaction.ts';
import { type Act, type AuditEntryDraft, auditEntries, type Redact } from './acts.ts';

/** Options of a move, where the engine does not know the table. */
interface MoveParts {
  readonly set?: Values;
  readonly post?: AnyPosting;
}

interface WorkContext {
  readonly scope: Scope;
  readonly staged: StagedWrites;
  readonly tenant: TenantRow;
  readonly actor: Actor;
  readonly tenantId: string;
  /** The actor's act; null: none that the audit names. */
  readonly act: Act | null;
  readonly redact?: Redact | undefined;
  /** The uuid of the request behind the command, and its trace. */
  readonly requestId: string | null;
  readonly trace: string | null;
  readonly environment: 'sandbox' | 'production';
  readonly held: ClaimedJobRow | null;
  readonly now: Instant;
  /** Real time in epoch milliseconds, for jobs alone. */
  readonly realNow: () => number;
  readonly newId: () => string;
  readonly newSecret: Work['newSecret'];
}

/** Events of a transaction in their order: records, their Transactions, their session (rules/events#11). */
const openEvents = () => ({ records: [], transaction: [], session: [] }) as Ordered;
type Ordered = Record<'records' | 'transaction' | 'session', EventParts[]>;

/** Runs one command on the scope. `finish` writes its events; `accept` keeps its effects, `rollback` removes them. */
export function beginWork(context: WorkContext) {
  const { scope, staged, tenantId, now } = context;
  const lists = [staged.entries, staged.events, staged.jobs, staged.audit, staged.counted];
  const marks = lists.map(({ length }) => length);
  const [firstEntry = 0, firstEvent, firstJob] = marks;
  const touched: Entity[] = [];
  const created: Entity[] = [];
  const events = openEvents();
  const said: AuditEntryDraft[] = [];
  let refused: RefusedInProduction | null = null;

  function draftOf(entity: Entity): Draft {
    if (entity.draft) return entity.draft;
    const before = { ...entity.row };
    entity.before ??= before;
    const draft: Draft = { undo: before, base: before, event: null, moved: false };
    entity.draft = draft;
    touched.push(entity);
    return draft;
  }

  /** After a restore a version that is shown goes on above all that were seen (rules/restore#13). */
  const nextVersion = (shown: object, version: number): number =>
    Math.max(version + 1, 'version' in shown ? context.tenant.version_floor : 0);

  /**
   * Closes a version: difference, version + 1, event. A change that is not shown changes none.
   */
  function seal(entity: Entity, draft: Draft): void {
    const { table, row } = entity;
    if (!table.present || table.of === 'platform') return;
    const present = table.present as (row: Values) => Values;
    const before = draft.base === null ? null : present(draft.base);
    const { version, updated_at } = row;
    if (before !== null) row.version = nextVersion(before, Number(version));
    row.updated_at = later(now, String(updated_at));
    const after = present(row);
    const previous = before === null ? null : previousAttributes(before, after);
    if (previous === '{}' && !draft.moved) {
      Object.assign(row, { version, updated_at });
      return;
    }
    const event = draft.event ?? (before === null ? null : `${table.lifecycle?.resource}.updated`);
    if (event === null) return;
    const resource = table.lifecycle?.resource;
    const place = resource === 'transaction' || resource === 'session' ? resource : 'records';
    events[place].push(eventOf(entity, event, JSON.stringify(after), previous));
  }

  function enter(entity: Entity, name: string, move: Move): void {
    const status = String(entity.row.status);
    if (move.from !== 'new' && !move.from.includes(status))
      throw fail('invalid_state', { details: { current_status: status, allowed: move.from } });
    const draft = draftOf(entity);
    // Two status moves of one command are two versions (rules/records#4).
    if (draft.moved) {
      seal(entity, draft);
      draft.base = { ...entity.row };
    }
    draft.event = move.event;
    draft.moved = true;
    if (move.to !== 'same') entity.row.status = move.to;
    assert(
      entity.table.lifecycle?.moves[name] === move,
      `${name} is a move of ${entity.table.name}`,
    );
  }

  function postMove(entity: Entity, move: Move, posting: AnyPosting | undefined): void {
    const allowed = recipesOf(move);
    assert(posting || move.posts === undefined, 'a move posts what its row says');
    if (!posting) return;
    assert(allowed.includes(posting.recipe), `the move posts ${allowed.join(', ')}`);
    const type = entity.table.lifecycle?.resource ?? entity.table.name;
    post({ type, id: String(entity.row.id) }, posting);
  }

  function post({ type, id }: { type: string; id: string }, posting: AnyPosting): void {
    const source: Source = { tenantId, type, id, at: now };
    for (const entry of entriesOf(source, posting)) {
      staged.entries.push(entry);
      applyToPocket(entry);
    }
  }

  const writeEvents = (parts: readonly EventParts[]): void => {
    for (const each of parts) staged.events.push(writeEvent(context, each));
  };

  /** A Transaction's first event has its id, by which it is found (rules/events#17). */
  function numberEntries(): void {
    for (const entry of staged.entries.slice(firstEntry)) {
      const id = entry.id ?? context.newId();
      entry.id = id;
      // A pending Transaction has its event from the move of its own row.
      if (entry.type && entry.begunAt === null)
        staged.events.push(writeEvent(context, transactionEvent(entry, id), id));
    }
  }

  /** Applies a posting to a balance that this batch has read, so the next command sees it. */
  function applyToPocket(entry: Entry): void {
    if (entry.accountId === null) return;
    const held = scope.peek(balances, tenantId, entry.accountId);
    if (!held) return;
    draftOf(held);
    held.row[entry.pocket] = Number(held.row[entry.pocket]) + entry.delta;
  }

  /** A job that comes back to itself, such as every month, would have a trace without an end. */
  const traceOf = (name: JobName) => (context.held?.name === name ? null : context.trace);

  const work: Work = {
    now,
    tenantId,
    tenant: context.tenant,
    actor: context.actor,
    obey: (rule, refusal) => {
      const { environment, tenant } = context;
      const asProduction = tenant.settings.production_rules;
      refused ??= obeyRule({ environment, asProduction }, rule, refusal);
    },
    newId: context.newId,
    newSecret: context.newSecret,
    create<T extends AnyTable>(table: T, values: NewValues<T>, name?: string, options?: unknown) {
      const given: Values = values;
      const entity = scope.adopt(table, tenantId, { ...given });
      if ('version' in table.columns) entity.row.version = 1;
      if ('updated_at' in table.columns) entity.row.updated_at = now;
      created.push(entity);
      entity.draft = { undo: given, base: null, event: null, moved: true };
      touched.push(entity);
      const move = name === undefined ? undefined : table.lifecycle?.moves[name];
      assert((move === undefined) === (table.lifecycle === undefined), 'a record begins by a move');
      if (move) {
        entity.draft.event = move.event;
        if (move.to !== 'same') entity.row.status = move.to;
        postMove(entity, move, (options as MoveParts | undefined)?.post);
      }
      return entity.row as RowOf<T>;
    },
    move<T extends AnyTable>(row: RowOf<T>, name: string, options?: unknown) {
      const parts = options as MoveParts | undefined;
      const entity = entityFor(row);
      const move = entity.table.lifecycle?.moves[name];
      assert(move, `${entity.table.name} has a move ${name}`);
      enter(entity, name, move);
      Object.assign(entity.row, parts?.set);
      postMove(entity, move, parts?.post);
      return entity.row as RowOf<T>;
    },
    change<T extends AnyTable>(row: RowOf<T>, set: Patch<T>) {
      const entity = entityFor(row);
      draftOf(entity);
      Object.assign(entity.row, set);
      return entity.row as RowOf<T>;
    },
    add<T extends AnyTable>(row: RowOf<T>, amount: number, atMost: number | null) {
      const entity = entityFor(row);
      const { sum, most, rose } = entity.table;
      assert(sum !== null, `${entity.table.name} has a sum`);
      draftOf(entity);
      entity.row[sum] = Number(entity.row[sum]) + amount;
      if (most !== null && amount > 0) entity.row[most] = atMost;
      if (rose !== null && amount > 0) entity.row[rose] = entity.row[sum];
      // The limit stays when the command is refused later: then it is only stricter.
      if (atMost !== null) entity.atMost = Math.min(entity.atMost ?? atMost, atMost);
    },
    touch: (row: object) => void draftOf(entityFor(row)),
    post: (source, posting) => post(source, posting as AnyPosting),
    requireExactBalance: (balance: BalanceRow) => {
      entityFor(balance).exact = true;
    },
    scheduleJob: (name: JobName, ref: string, at: Instant) => {
      const time = { dueAt: at, wakeAt: realInstantOf(context.tenant, at), real: false };
      staged.jobs.push({ tenantId, name, ref, time, trace: traceOf(name), lease: null });
    },
    scheduleJobInRealTime: (name: JobName, ref: string, seconds: number) => {
      const wakeAt = instantOf(context.realNow() + seconds * 1000);
      const time = { dueAt: addSeconds(now, seconds), wakeAt, real: true };
      staged.jobs.push({ tenantId, name, ref, time, trace: traceOf(name), lease: null });
    },
    cancelJob: (name: JobName, ref: string) => {
      const { held } = context;
      const lease = held?.name === name && held.ref === ref ? held.lease : null;
      staged.jobs.push({ tenantId, name, ref, time: null, trace: null, lease });
    },
    audit: (of: AuditEntryDraft) => void said.push(of),
    count: (of) => void staged.counted.push(of),
    sample: (parts: Omit<EventParts, 'at' | 'sample'>) => {
      const event = writeEvent(context, { ...parts, at: now, sample: true });
      staged.events.push(event);
      return eventText(event);
    },
  };

  return {
    work,
    /** The first refusal that production would give of what this sandbox has taken. */
    refusedInProduction: () => refused,
    /** Nothing is made or changed by it. */
    isUnchanged: () =>
      touched.length === 0 &&
      staged.entries.length === firstEntry &&
      staged.events.length === firstEvent &&
      staged.jobs.length === firstJob,
    /**
     * Ends the command: seals its drafts and stages its events (rules/events#11).
     * @param isAsking it goes on with an answer of the outside: its act is not done yet
     */
    finish(isAsking: boolean): readonly Entity[] {
      for (const entity of touched) {
        if (entity.draft) seal(entity, entity.draft);
      }
      writeEvents(events.records);
      numberEntries();
      writeEvents(events.transaction);
      writeEvents(events.session);
      if (said.length > 0 || (context.act && !isAsking))
        staged.audit.push(...auditEntries(context, said, touched, created));
      return created;
    },
    /** Accepts the command: from here on its effects are the batch's. */
    accept(): void {
      for (const entity of touched) {
        entity.changed = true;
        entity.draft = null;
      }
    },
    /** Refuses the command: rows, entries, events and jobs are as before it. */
    rollback(): void {
      for (const entity of created) scope.forget(entity);
      for (const entity of touched) {
        if (entity.draft) Object.assign(entity.row, entity.draft.undo);
        entity.draft = null;
      }
      for (const [at, list] of lists.entries()) list.length = marks[at] ?? 0;
    },
  };
}
