import type { TestServer } from '../../kit/server.ts';

/** How often each kind of row is there, or what it sums up to. */
export type Census = ReadonlyMap<string, number>;

/** Not effects of a request: live processes, the log, tokens, and counts by day. */
const uncounted = new Set(['processes', 'requests', 'access_tokens', 'limit_counters']);

const tenantTables = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where $1::uuid is not null and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by 1`;

/** Beside the rows of each table: events by type, jobs by name, cents by step and pocket. */
const kinds = [
  `select 'event ' || type, count(*) from events where tenant_id = $1 group by 1`,
  `select 'job ' || name, count(*) from jobs where tenant_id = $1 group by 1`,
  `select 'cents of ' || concat_ws(' ', step, pocket), sum(delta) from entries
   where tenant_id = $1 group by 1`,
];

/** @returns counts the rows of the server's Tenant */
export async function openCensus({ engine }: TestServer): Promise<() => Promise<Census>> {
  const tables = await engine.query<{ name: string }>(tenantTables);
  const counts = tables
    .filter(({ name }) => !uncounted.has(name))
    .map(({ name }) => `select '${name}', count(*) from ${name} where tenant_id = $1`);
  const text = `select kind, count::float8 as count from (
    ${[...counts, ...kinds].join(' union all ')}) x(kind, count)`;
  return async () => {
    const rows = await engine.query<{ kind: string; count: number }>(text);
    return new Map(rows.map(({ kind, count }) => [kind, count]));
  };
}

/** By how much each count changed. */
export function changesOf(before: Census, after: Census): Census {
  const kinds = [...after.keys(), ...before.keys()];
  const changes = kinds.map((kind): [string, number] => [
    kind,
    (after.get(kind) ?? 0) - (before.get(kind) ?? 0),
  ]);
  return new Map(changes.filter(([, change]) => change !== 0));
}

/** What is other than it should be, as `event payment.created 2 instead of 1`. */
export function differences(found: Census, expected: Census): string[] {
  return [...changesOf(expected, found).keys()].map(
    (kind) => `${kind} ${found.get(kind) ?? 0} instead of ${expected.get(kind) ?? 0}`,
  );
}
