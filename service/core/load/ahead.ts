import type { Values } from '../entity.ts';
import type { AnyTable } from '../table.ts';
import { cells } from '../write/sql.ts';

/**
 * Which rows a command's `load` will read, as a tree of foreign keys from one row known by id.
 * Declared once as a constant; a batch reads the rows of all commands with the same plan by one
 * statement for each table, all sent at once.
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

interface Step {
  readonly table: AnyTable;
  readonly name: string;
  readonly text: string;
}

const stepsOfPlans = new Map<Ahead, readonly Step[]>();

/** The condition by which rows of a table follow from `a`, the row above. */
function followed(table: AnyTable, by: Follow['by'][number]): string {
  const parts = typeof by === 'string' ? { [table.key[0] ?? '']: { column: by } } : by;
  const conditions = Object.entries(parts).map(
    ([column, held]) => ` and t.${column} = ${'is' in held ? `'${held.is}'` : `a.${held.column}`}`,
  );
  return `t.tenant_id = a.tenant_id${conditions.join('')}`;
}

/** One statement for each table of the plan, each joined along the path that leads to it. */
function stepsOf(plan: Ahead): readonly Step[] {
  const known = stepsOfPlans.get(plan);
  if (known) return known;
  const steps: Step[] = [];
  const walk = (node: Ahead, above: string, on: string): void => {
    const name = `ahead ${stepsOfPlans.size}.${steps.length} ${node.table.name}`;
    const text = `select t.* from ${above} join ${node.table.name} t on ${on}`;
    steps.push({ table: node.table, name, text });
    // OFFSET 0 keeps the planner on the path: a generic plan, made while tables are small, has been
    // seen to join all accounts of a tenant with all of its payments instead.
    for (const { by, ...follow } of node.next ?? [])
      for (const held of by) walk(follow, `(${text} offset 0) a`, followed(follow.table, held));
  };
  walk(
    plan,
    'unnest($1::uuid[], $2::uuid[]) a(tenant_id, id)',
    `t.tenant_id = a.tenant_id and t.${plan.table.key[0]} = a.id`,
  );
  stepsOfPlans.set(plan, steps);
  return steps;
}

/** The commands of one wave that share a plan. */
export interface Lead {
  add(tenantId: string, id: string): void;
  readonly done: Promise<void>;
  send(
    query: (text: string, values: unknown[], name: string) => Promise<{ rows: Values[] }>,
    admit: (table: AnyTable, values: Values) => void,
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
      const keys = [cells('uuid', tenantIds), cells('uuid', ids)];
      const reads = stepsOf(plan).map(async ({ table, text, name }) => {
        const { rows } = await query(text, keys, name);
        for (const row of rows) admit(table, row);
      });
      Promise.all(reads).then(settle.resolve, settle.reject);
    },
  };
}
