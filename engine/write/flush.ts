import { arrayParameter } from '../database/binary.ts';
import type { Entity } from '../entity.ts';
import { balances } from '../ledger.ts';
import type { Scope } from '../load/reader.ts';
import type { AnyTable } from '../table.ts';
import type { EventText } from './event.ts';
import { appendAuditRows } from './flush_audit.ts';
import { postedTo, reviseBalances, writeLedger } from './flush_ledger.ts';
import {
  deleteJobs,
  insertDeliveries,
  insertEvents,
  insertFurtherDeliveries,
  insertJobs,
  type JobKey,
  type JobRow,
} from './flush_outbox.ts';
import { copyInto, type Statement } from './sql.ts';
import type { StagedWrites } from './staged.ts';

/** By the table itself: another one of its name writes other columns. */
const texts = new Map<AnyTable, Map<string, string>>();

function textOf(table: AnyTable, name: string, write: () => string): string {
  const ofTable = texts.get(table) ?? new Map<string, string>();
  texts.set(table, ofTable);
  const known = ofTable.get(name);
  if (known !== undefined) return known;
  const made = write();
  ofTable.set(name, made);
  return made;
}

const pgOf = (table: AnyTable, name: string) => table.columns[name]?.pg ?? 'text';

/** A list travels as its text: `unnest` would take the lists of a column apart. */
const isList = (pg: string) => pg.endsWith('[]');
const carriedAs = (table: AnyTable, name: string) =>
  isList(pgOf(table, name)) ? 'text' : pgOf(table, name);
const listText = (items: unknown): string | null =>
  Array.isArray(items)
    ? `{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
    : null;
const parameters = (types: readonly string[]) =>
  types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
/** The count that a statement must touch; a difference raises 40001 and the batch reruns. */
const expecting = (source: string, parameter: number) =>
  `select expect((select count(*) from ${source}), $${parameter})`;

/** A balance begins empty: what the batch posted to it arrives by delta, with its entries. */
const cellOf = (entity: Entity, name: string) =>
  entity.table === balances && name !== 'account_id' && entity.revision === null
    ? 0
    : entity.row[name];

function columnsOf(
  table: AnyTable,
  names: readonly string[],
  entities: readonly Entity[],
): Buffer[] {
  return names.map((name) => {
    const pg = pgOf(table, name);
    const values = entities.map((entity) => cellOf(entity, name));
    return isList(pg) ? arrayParameter('text', values.map(listText)) : arrayParameter(pg, values);
  });
}

const copies = new Map<AnyTable, ReturnType<typeof copyInto>>();

function copyOf(table: AnyTable) {
  const known = copies.get(table);
  if (known) return known;
  const types = Object.entries(table.columns).map(([name, { pg }]) => [name, pg]);
  const made = copyInto(table.name, { tenant_id: 'uuid', ...Object.fromEntries(types) });
  copies.set(table, made);
  return made;
}

function insert(table: AnyTable, entities: readonly Entity[]): Statement {
  const names = Object.keys(table.columns);
  return copyOf(table)(
    entities.map((entity) => [entity.tenantId, ...names.map((name) => cellOf(entity, name))]),
  );
}

/** A text is prepared for each set of columns that change together, up to so many of a table. */
const maximumSets = 16;
const setsOf = new Map<AnyTable, Map<string, number>>();

const isOther = (is: unknown, was: unknown): boolean =>
  is !== was || (typeof is === 'object' && is !== null);

/** The columns to write: those that have changed, or all of them where they change in too many ways. */
function columnsToSet(table: AnyTable, entities: readonly Entity[]) {
  const changed = table.mutable.filter((name) =>
    entities.some(({ row, before }) => isOther(row[name], before?.[name])),
  );
  const sets = setsOf.get(table) ?? new Map<string, number>();
  setsOf.set(table, sets);
  const key = changed.join();
  if (!sets.has(key) && sets.size < maximumSets) sets.set(key, sets.size);
  const number = sets.get(key);
  return number === undefined
    ? { name: `update ${table.name}`, columns: table.mutable }
    : { name: `update ${table.name} ${number}`, columns: changed };
}

/** Updates rows only at the revision that was read (rules/records#11). */
function update(table: AnyTable, entities: readonly Entity[]): Statement {
  const { name, columns } = columnsToSet(table, entities);
  const names = [...table.key, ...columns];
  const text = textOf(table, name, () => {
    const types = ['uuid', 'integer', ...names.map((column) => carriedAs(table, column))];
    const given = (column: string) =>
      isList(pgOf(table, column)) ? `x.${column}::${pgOf(table, column)}` : `x.${column}`;
    const sets = columns.map((column) => `${column} = ${given(column)}, `).join('');
    const on = table.key.map((column) => ` and t.${column} = x.${column}`).join('');
    return `with done as (update ${table.name} t set ${sets}revision = t.revision + 1 from unnest(${parameters(types)}) x(tenant_id, revision, ${names.join(', ')}) where t.tenant_id = x.tenant_id${on} and t.revision = x.revision returning 1) ${expecting('done', types.length + 1)}`;
  });
  return {
    name,
    text,
    values: [
      arrayParameter(
        'uuid',
        entities.map((e) => e.tenantId),
      ),
      arrayParameter(
        'integer',
        entities.map((e) => e.revision),
      ),
      ...columnsOf(table, names, entities),
      entities.length,
    ],
  };
}

/** Adds to sums, unless one would exceed its most; in one order, so that commits wait for each other. */
function add(table: AnyTable, sum: string, entities: readonly Entity[]): Statement {
  const name = `add ${table.name}`;
  const keyOf = (entity: Entity) => table.key.map((column) => entity.row[column]).join('|');
  const sorted = entities.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const text = textOf(table, name, () => {
    const types = ['uuid', 'bigint', 'bigint', ...table.key.map((column) => pgOf(table, column))];
    const on = table.key.map((column) => ` and t.${column} = x.${column}`).join('');
    const kept = (name: string | null, value: string) =>
      name === null ? '' : `${name} = case when x.added > 0 then ${value} else t.${name} end, `;
    const risen = kept(table.most, 'x.at_most') + kept(table.rose, `t.${sum} + x.added`);
    return `with done as (update ${table.name} t set ${sum} = t.${sum} + x.added, ${risen}revision = t.revision + 1 from unnest(${parameters(types)}) x(tenant_id, added, at_most, ${table.key.join(', ')}) where t.tenant_id = x.tenant_id${on} and (x.at_most is null or t.${sum} + x.added <= x.at_most) returning 1) ${expecting('done', types.length + 1)}`;
  });
  const column = (type: string, pick: (entity: Entity) => unknown) =>
    arrayParameter(type, sorted.map(pick));
  return {
    name,
    text,
    values: [
      column('uuid', (e) => e.tenantId),
      column('bigint', (e) => Number(e.row[sum]) - e.sumRead),
      column('bigint', (e) => e.atMost),
      ...columnsOf(table, table.key, sorted),
      sorted.length,
    ],
  };
}

/** Checks, under FOR SHARE, rows that a decision only read (rules/records#12). */
function checkRevisions(table: AnyTable, entities: readonly Entity[]): Statement {
  const name = `check ${table.name}`;
  const text = textOf(table, name, () => {
    const types = ['uuid', 'integer', ...table.key.map((column) => pgOf(table, column))];
    const names = ['tenant_id', 'revision', ...table.key].join(', ');
    const on = table.key.map((column) => ` and t.${column} = x.${column}`).join('');
    return `with same as (select 1 from unnest(${parameters(types)}) x(${names}) join ${table.name} t on t.tenant_id = x.tenant_id${on} and t.revision = x.revision for share of t) ${expecting('same', types.length + 1)}`;
  });
  return {
    name,
    text,
    values: [
      arrayParameter(
        'uuid',
        entities.map((e) => e.tenantId),
      ),
      arrayParameter(
        'integer',
        entities.map((e) => e.revision),
      ),
      ...columnsOf(table, table.key, entities),
      entities.length,
    ],
  };
}

/** Checks balances whose exact amount was decisive: their last entry is as it was read. */
function proveExact(entities: readonly Entity[]): Statement {
  return {
    name: 'prove exact balances',
    text: `with same as (select 1 from unnest($1::uuid[], $2::uuid[], $3::integer[])
        x(tenant_id, account_id, entry_count)
      join balances t on t.tenant_id = x.tenant_id and t.account_id = x.account_id
        and t.entry_count = x.entry_count for update of t) ${expecting('same', 4)}`,
    values: [
      arrayParameter(
        'uuid',
        entities.map((e) => e.tenantId),
      ),
      ...columnsOf(balances, ['account_id', 'entry_count'], entities),
      entities.length,
    ],
  };
}

export interface FlushInput {
  readonly scope: Scope;
  readonly staged: StagedWrites;
  readonly realInstant: (tenantId: string, at: string) => string;
  readonly delivers: (tenantId: string) => boolean;
  /** Endpoints beside the first one that get the event. */
  readonly furtherEndpoints: (event: EventText) => readonly string[];
}

function group(entities: Iterable<Entity>, wanted: (entity: Entity) => boolean) {
  const groups = new Map<AnyTable, Entity[]>();
  for (const entity of entities) {
    if (!wanted(entity)) continue;
    const list = groups.get(entity.table);
    if (list) list.push(entity);
    else groups.set(entity.table, [entity]);
  }
  return groups;
}

const isCreated = (e: Entity) => e.changed && e.revision === null;
const isUpdated = (e: Entity) => e.changed && e.revision !== null && e.table !== balances;
const isOnlyChecked = (e: Entity) =>
  e.checked && !e.changed && e.revision !== null && e.table.proof !== 'none';

/** All that a batch writes and checks, in a fixed order of tables. Empty when nothing changed. */
export function flushStatements(input: FlushInput): Statement[] {
  const { scope, staged } = input;
  const statements: Statement[] = [];
  const created = group(scope.entities(), isCreated);
  const updated = group(scope.entities(), isUpdated);
  const { jobs, entries, events, audit, audited } = staged;
  const ledger = entries.length + events.length;
  const changes = created.size + updated.size + jobs.length + ledger + audit.length;
  if (changes === 0) return [];
  const isPosted = postedTo(entries);
  const checkedAlone = (e: Entity) => isOnlyChecked(e) && !isPosted(e);
  for (const [table, rows] of group(scope.entities(), checkedAlone))
    statements.push(checkRevisions(table, rows));
  for (const [table, rows] of updated) {
    statements.push(table.sum === null ? update(table, rows) : add(table, table.sum, rows));
    if (table.proof === 'balance') statements.push(reviseBalances(rows));
  }
  for (const [table, rows] of created) statements.push(insert(table, rows));
  // After the accounts, whose change locks their balances, and before this batch's own entries.
  const exact = [...scope.entities()].filter((entity) => entity.exact);
  if (exact.length > 0) statements.push(proveExact(exact));
  const proven = [...scope.entities()].filter((e) => isOnlyChecked(e) && isPosted(e));
  if (entries.length > 0) statements.push(writeLedger(entries, proven));
  if (events.length > 0) statements.push(insertEvents(events));
  statements.push(...deliveryStatements(input));
  statements.push(...jobStatements(input));
  if (audit.length > 0)
    statements.push(appendAuditRows(audit, (rows) => void audited.push(...rows)));
  return statements;
}

/** A Tenant without endpoints beside the first one has no statement for them (rules/webhooks#36). */
function deliveryStatements(input: FlushInput): Statement[] {
  const { events } = input.staged;
  const wakeAt = ({ tenantId, at }: EventText) => input.realInstant(tenantId, at);
  const first = events.filter(
    ({ tenantId, onlyTo }) => onlyTo === undefined && input.delivers(tenantId),
  );
  const further = events.flatMap((event) =>
    (event.onlyTo === undefined ? input.furtherEndpoints(event) : [event.onlyTo]).map(
      (endpointId) => ({ event, endpointId }),
    ),
  );
  return [
    ...(first.length > 0 ? [insertDeliveries(first, wakeAt)] : []),
    ...(further.length > 0 ? [insertFurtherDeliveries(further, wakeAt)] : []),
  ];
}

function jobStatements({ staged }: FlushInput): Statement[] {
  const last = new Map(staged.jobs.map((job) => [`${job.tenantId}|${job.name}|${job.ref}`, job]));
  const set: JobRow[] = [];
  const gone: JobKey[] = [];
  for (const { tenantId, name, ref, time, trace, lease } of last.values()) {
    if (time === null) gone.push({ tenantId, name, ref, lease });
    else set.push({ tenantId, name, ref, trace, ...time });
  }
  return [
    ...(gone.length > 0 ? [deleteJobs(gone)] : []),
    ...(set.length > 0 ? [insertJobs(set)] : []),
  ];
}
