import { arrayParameter } from '../database/binary.ts';
import type { Values } from '../entity.ts';
import { platformId } from '../platform.ts';
import { type AnyTable, columnList } from '../table.ts';

/**
 * The rows that a command's `load` will read, as a tree of foreign keys from one row known by id.
 * Declared once as a constant; a batch reads the rows of all commands with the same plan by one
 * statement.
 */
export interface Ahead {
  readonly table: AnyTable;
  readonly next?: readonly Follow[];
}

interface Follow extends Ahead {
  /** Columns of the row above that hold the ids of these rows; or, of a wider key, what holds each part. */
  readonly by: readonly (string | Readonly<Record<string, Held>>)[];
}

/** A column of the row above, or a text that is always the same. */
type Held = { readonly column: string } | { readonly is: string };

/** A row from which a plan is followed; null: there is none. */
export interface Start {
  readonly plan: Ahead;
  readonly id: string | null;
}

/** A plan as one statement, whose rows hold a row of each table, one after the other. */
interface Joined {
  readonly tables: readonly AnyTable[];
  readonly name: string;
  readonly text: string;
}

const joinedPlans = new Map<Ahead, Joined>();

/** The condition by which rows of a table follow from the row above. */
function followed(table: AnyTable, by: Follow['by'][number], above: string): string {
  const parts = typeof by === 'string' ? { [table.key[0] ?? '']: { column: by } } : by;
  const conditions = Object.entries(parts).map(
    ([column, held]) =>
      ` and t.${column} = ${'is' in held ? `'${held.is}'` : `${above}.${held.column}`}`,
  );
  const owner = table.of === 'platform' ? `'${platformId}'` : `${above}.tenant_id`;
  return `t.tenant_id = ${owner}${conditions.join('')}`;
}

/** One statement for the plan: each row is looked up by what the row above holds. */
function joined(plan: Ahead): Joined {
  const known = joinedPlans.get(plan);
  if (known) return known;
  const tables: AnyTable[] = [];
  const joins: string[] = [];
  const walk = ({ table, next }: Ahead, on: (alias: string) => string): void => {
    const alias = `t${tables.length}`;
    tables.push(table);
    joins.push(on(alias));
    for (const { by, ...follow } of next ?? [])
      for (const held of by)
        walk(
          follow,
          // OFFSET 0 keeps the planner on the path: a generic plan, made while tables are small, has been
          // seen to join all accounts of a tenant with all of its payments instead.
          (
            own,
          ) => `left join lateral (select ${columnList(follow.table)} from ${follow.table.name} t
            where ${followed(follow.table, held, alias)} offset 0) ${own} on true`,
        );
  };
  walk(
    plan,
    (own) =>
      `join ${plan.table.name} ${own} on ${own}.tenant_id = a.tenant_id and ${own}.${plan.table.key[0]} = a.id`,
  );
  const columns = tables.map((table, index) => columnList(table, `t${index}`));
  const text = `select ${columns.join(', ')} from unnest($1::uuid[], $2::uuid[]) a(tenant_id, id) ${joins.join(' ')}`;
  const made = { tables, name: `ahead ${joinedPlans.size} ${plan.table.name}`, text };
  joinedPlans.set(plan, made);
  return made;
}

/** The commands of one wave that share a plan. */
export interface Lead {
  add(tenantId: string, id: string): void;
  readonly done: Promise<void>;
  send(
    query: (text: string, values: unknown[], name: string) => Promise<{ rows: Values[] }>,
    admit: (table: AnyTable, values: Values) => unknown,
  ): void;
}

export function openLead(plan: Ahead): Lead {
  const tenantIds: string[] = [];
  const ids: string[] = [];
  let settle = { resolve: () => {}, reject: (_error: unknown) => {} };
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    done,
    add(tenantId, id) {
      tenantIds.push(tenantId);
      ids.push(id);
    },
    send(query, admit) {
      const { tables, name, text } = joined(plan);
      const read = async () => {
        const { rows } = await query(
          text,
          [arrayParameter('uuid', tenantIds), arrayParameter('uuid', ids)],
          name,
        );
        for (const [index, row] of rows.entries()) {
          const table = tables[index % tables.length];
          if (table && row.tenant_id !== null) admit(table, row);
        }
      };
      read().then(settle.resolve, settle.reject);
    },
  };
}
