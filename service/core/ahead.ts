import type { Values } from './entity.ts';
import { cells } from './sql.ts';
import type { AnyTable } from './table.ts';

/**
 * Which rows a command's `load` will come to, as a tree of foreign keys from one row known by id.
 * Declared once as a constant; a batch reads the rows of all commands with the same plan in one
 * statement a table, all sent at once.
 */
export interface Ahead {
  readonly table: AnyTable;
  readonly next?: readonly Follow[];
}

interface Follow extends Ahead {
  /** Columns of the row above that hold the ids of these rows. */
  readonly by: readonly string[];
}

interface Step {
  readonly table: AnyTable;
  readonly name: string;
  readonly text: string;
}

const stepsOfPlans = new Map<Ahead, readonly Step[]>();

/** One statement for each table of the plan, each joined along the path that leads to it. */
function stepsOf(plan: Ahead): readonly Step[] {
  const known = stepsOfPlans.get(plan);
  if (known) return known;
  const steps: Step[] = [];
  const walk = (node: Ahead, joins: string, depth: number): void => {
    const name = `ahead ${stepsOfPlans.size}.${steps.length} ${node.table.name}`;
    const from = 'unnest($1::uuid[], $2::uuid[]) k(tenant_id, id)';
    steps.push({ table: node.table, name, text: `select t${depth}.* from ${from}${joins}` });
    // One statement a column: with an equality on every column of the key the planner takes the
    // primary key, with `any(array[a, b])` it has been seen to read all accounts of the tenant.
    for (const { by, ...follow } of node.next ?? [])
      for (const column of by) {
        const to = `t${depth + 1}`;
        const on = `${to}.tenant_id = k.tenant_id and ${to}.${follow.table.key[0]} = t${depth}.${column}`;
        walk(follow, `${joins} join ${follow.table.name} ${to} on ${on}`, depth + 1);
      }
  };
  const { table } = plan;
  walk(
    plan,
    ` join ${table.name} t0 on t0.tenant_id = k.tenant_id and t0.${table.key[0]} = k.id`,
    0,
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
