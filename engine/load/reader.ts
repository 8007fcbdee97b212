import { arrayParameter } from '../database/binary.ts';
import { type Entity, entity, type Values } from '../entity.ts';
import { fail } from '../fail.ts';
import { ownerOf, platformId, platformRow } from '../platform.ts';
import type { AnyTable, RowOf, ValuesOf } from '../table.ts';
import { tenants } from '../tenant.ts';
import type { Clocks } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';
import { type Ahead, type Lead, openLead } from './ahead.ts';
import { keyPathOf, keyText, type Path, pathOf, primaryKey, setPathOf } from './path.ts';

/** The value of a one-column key, or the values of a wider one by column name. */
export type KeyOf<T extends AnyTable> = string | Partial<ValuesOf<T>>;

/**
 * The reads that a command may make: rows by primary or unique key, and declared sets by one equality key. All reads of
 * a batch that are requested in one turn share one statement for each table.
 */
export interface Read {
  readonly tenantId: string;
  /** The hash of the Idempotency-Key that the command came with; null: it came with none. */
  readonly call: string | null;
  /** @throws ApiError not_found when this tenant has no such row. */
  one<T extends AnyTable>(table: T, key: KeyOf<T>): Promise<RowOf<T>>;
  maybe<T extends AnyTable>(table: T, key: KeyOf<T> | null): Promise<RowOf<T> | null>;
  by<T extends AnyTable>(
    table: T,
    unique: keyof T['unique'] & string,
    key: Partial<ValuesOf<T>>,
  ): Promise<RowOf<T> | null>;
  set<T extends AnyTable>(
    table: T,
    column: keyof T['columns'] & string,
    value: string,
  ): Promise<readonly RowOf<T>[]>;
  /** The Tenant's rows of a table that declares the set `all`. */
  all<T extends AnyTable>(table: T): Promise<readonly RowOf<T>[]>;
  /**
   * The tenant's clock, for keys that contain a date. `work.now` may be a moment later: a command
   * whose decision depends on the day loads the rows of both days.
   */
  now(): Promise<Instant>;
}

/** Sends one statement; the scope sends all those of a wave at once. */
export type Query = (text: string, values: unknown[], name: string) => Promise<{ rows: Values[] }>;

interface Wave {
  readonly path: Path;
  readonly keys: Map<string, { tenantId: string; values: readonly unknown[] }>;
  readonly done: Promise<void>;
  readonly settle: (error?: unknown) => void;
}

/** One command's view of the scope: the commit checks what an accepted command has read. */
export interface Reading extends Read {
  readonly entities: Entity[];
  /** Keys that held nothing. A command that later fills one sends this command to the next batch. */
  readonly misses: Set<string>;
  readonly missedPaths: Set<Path>;
  /** The Tenant's row; of the platform its constant. @throws ApiError not_found */
  tenant(): Promise<RowOf<typeof tenants>>;
}

/** The rows of one batch: an identity map, filled by waves of coalesced reads. */
export function openScope(query: Query, clocks: Clocks) {
  const found = new Map<string, Entity[]>();
  const rows = new Map<string, Entity>();
  const waves = new Map<string, Wave>();
  const aheads: (() => void)[] = [];
  const plans = new Map<Ahead, Lead>();
  let scheduled = false;

  function admit(table: AnyTable, values: Values): Entity {
    const tenantId = String(values.tenant_id);
    const key = primaryKey(table, tenantId, values);
    const known = rows.get(key);
    if (known) return known;
    const made = entity(table, tenantId, values, Number(values.revision ?? 0));
    rows.set(key, made);
    return made;
  }

  /** Sends the gathered reads, once all commands have requested theirs in this turn. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    process.nextTick(sendWave);
  }

  async function fetch(wave: Wave): Promise<void> {
    const { path } = wave;
    const requested = [...wave.keys.values()];
    const columns = [
      arrayParameter(
        'uuid',
        requested.map((key) => key.tenantId),
      ),
      ...path.by.map((column, index) =>
        arrayParameter(
          path.table.columns[column]?.pg ?? 'text',
          requested.map((key) => key.values[index]),
        ),
      ),
    ];
    const result = await query(path.text, columns, `read ${path.name}`);
    for (const key of wave.keys.keys()) found.set(key, []);
    for (const values of result.rows) {
      const at = keyText(
        path,
        String(values.tenant_id),
        path.by.map((column) => values[column]),
      );
      found.get(at)?.push(admit(path.table, values));
    }
  }

  function sendWave(): void {
    scheduled = false;
    const sent = [...waves.values()];
    waves.clear();
    for (const early of aheads.splice(0)) early();
    for (const wave of sent) fetch(wave).then(() => wave.settle(), wave.settle);
  }

  /** Adds a read to the next wave, which is sent when every load has requested what it can. */
  function request(
    path: Path,
    key: string,
    tenantId: string,
    values: readonly unknown[],
  ): Promise<Entity[]> {
    let wave = waves.get(path.name);
    if (!wave) {
      let settle: Wave['settle'] = () => {};
      const done = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      wave = { path, keys: new Map(), done, settle };
      waves.set(path.name, wave);
    }
    wave.keys.set(key, { tenantId, values });
    schedule();
    return wave.done.then(() => found.get(key) ?? []);
  }

  /** The rows that an earlier read has found: by the same look-up, or the row itself. */
  function known(key: string): Entity[] | undefined {
    const row = rows.get(key);
    return found.get(key) ?? (row && [row]);
  }

  /** Rows along a plan of foreign keys, in the round trip of the first wave. */
  function ahead(plan: Ahead, tenantId: string, id: string): Promise<void> {
    let lead = plans.get(plan);
    if (!lead) {
      const made = openLead(plan);
      lead = made;
      plans.set(plan, made);
      aheads.push(() => {
        plans.delete(plan);
        made.send(query, admit);
      });
      schedule();
    }
    lead.add(ownerOf(plan.table, tenantId), id);
    return lead.done;
  }

  /** The scope as one command reads it. */
  function reading(tenantId: string, call: string | null): Reading {
    const entities: Entity[] = [];
    const misses = new Set<string>();
    const missedPaths = new Set<Path>();
    // Without `async`: most rows were read ahead, and a promise for each step is most of such a read.
    function look<R>(
      path: Path,
      values: readonly unknown[],
      of: (hits: readonly Entity[]) => R,
    ): Promise<R> {
      const owner = ownerOf(path.table, tenantId);
      const key = keyText(path, owner, values);
      const note = (hits: readonly Entity[]) => {
        if (hits.length === 0 || path.table.sets.includes(path.by[0] ?? 'all')) {
          misses.add(key);
          missedPaths.add(path);
        }
        entities.push(...hits);
        return of(hits);
      };
      const hits = known(key);
      return hits ? Promise.resolve(note(hits)) : request(path, key, owner, values).then(note);
    }
    const keyValues = (table: AnyTable, key: KeyOf<AnyTable>): readonly unknown[] =>
      typeof key === 'string' ? [key] : table.key.map((column) => key[column]);
    const first = <T extends AnyTable>([hit]: readonly Entity[]) =>
      hit ? (hit.row as RowOf<T>) : null;
    const rowsOf = <T extends AnyTable>(hits: readonly Entity[]) =>
      hits.map((hit) => hit.row as RowOf<T>);
    const nothing = Promise.resolve(null);
    const maybe: Read['maybe'] = (table, key) =>
      key === null ? nothing : look(keyPathOf(table), keyValues(table, key), first<typeof table>);
    const one: Read['one'] = async (table, key) => {
      const row = await maybe(table, key);
      if (row === null) throw fail('not_found');
      return row;
    };
    const tenant: Reading['tenant'] = () =>
      tenantId === platformId ? Promise.resolve(platformRow) : one(tenants, {});
    return {
      tenantId,
      call,
      entities,
      misses,
      missedPaths,
      maybe,
      one,
      tenant,
      now: async () => clocks.at(tenantId, await tenant()).now,
      by: (table, unique, key) => {
        const columns = table.unique[unique] ?? [];
        const values = columns.map((column) => (key as Values)[column]);
        return look(pathOf(table, unique, columns), values, first<typeof table>);
      },
      set: (table, column, value) => look(setPathOf(table, column), [value], rowsOf<typeof table>),
      all: (table) => look(setPathOf(table, 'all'), [], rowsOf<typeof table>),
    };
  }

  return {
    reading,
    ahead,
    /** A row that the batch already holds, by its one-column key. */
    peek: (table: AnyTable, tenantId: string, key: string): Entity | undefined =>
      rows.get(keyText(keyPathOf(table), ownerOf(table, tenantId), [key])),
    /** Every row that the batch holds, loaded or created. */
    entities: () => rows.values(),
    /** Adds a created row, so that it can be changed and flushed like a loaded one. */
    adopt: (table: AnyTable, tenantId: string, values: Values): Entity => {
      const owner = ownerOf(table, tenantId);
      const made = entity(table, owner, values, null);
      rows.set(primaryKey(table, owner, values), made);
      return made;
    },
    forget: (created: Entity) => {
      rows.delete(primaryKey(created.table, created.tenantId, created.row));
    },
  };
}

export type Scope = ReturnType<typeof openScope>;
