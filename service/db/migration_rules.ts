import { statementsOf } from './statements.ts';

/** The demands of a migration on the processes of the release before, which go on while it runs (rules/engine#41). */
export const migrationClasses = ['online', 'locks', 'stop first'] as const;
export type MigrationClass = (typeof migrationClasses)[number];

/** The class of a migration, and what its line says of it: which tables are locked, for how long, or why to stop. */
export interface MigrationClassification {
  readonly class: MigrationClass;
  readonly detail: string;
}

/** Applied to an empty database alone. */
const baseline = /^0001_/;

const classLine = /^-- class: (online|locks|stop first)(?:[,:]? (.+))?$/m;

/** The class in a migration's line `-- class: …`; null: it has none, or says too little. */
export function classOf(name: string, sql: string): MigrationClassification | null {
  if (baseline.test(name)) return { class: 'online', detail: 'makes the tables of a new database' };
  const [, given, detail = ''] = classLine.exec(sql) ?? [];
  const found = migrationClasses.find((one) => one === given);
  if (!found || (found !== 'online' && detail === '')) return null;
  return { class: found, detail };
}

/** A change that the release before, or its traffic, does not bear. */
type Rule = readonly [fault: string, is: RegExp];

/** Values that PostgreSQL keeps in the catalog, so that no row is written anew. */
const constant = String.raw`(?:'[^']*'(?:::[\w\[\]]+)?|-?\d+|true|false|null|now\(\)|statement_timestamp\(\))`;

const rules: readonly Rule[] = [
  ['rewrites the table: a type', /\balter column \w+ (?:set data )?type\b/i],
  ['rewrites the table: a stored expression', /\bgenerated always as\b[\s\S]*\bstored\b/i],
  [
    'rewrites the table: a default that differs from row to row',
    new RegExp(String.raw`\badd column\b[^;]*\bdefault (?!${constant})`, 'i'),
  ],
  ['rewrites the table', /^(?:vacuum full|cluster)\b|\bset (?:un)?logged\b/i],
  [
    'needs a value that the release before does not write',
    /\badd column\b(?=[^,]*\bnot null\b)(?![^,]*\bdefault\b)/i,
  ],
  [
    'reads the whole table under a lock',
    /\bset not null\b|\badd (?:constraint \w+ )?(?:check|primary key|unique|exclude)\b(?![\s\S]*\b(?:not valid|using index)\b)/i,
  ],
  [
    'renames what the release before names',
    /\brename (?:to|column|constraint|value)\b|\brename \w+ to\b/i,
  ],
  [
    'drops what the release before names',
    /^drop (?!index concurrently)|\bdrop (?:column|constraint)\b/i,
  ],
  [
    'locks the table while an index is made',
    /^create (?:unique )?index (?!concurrently)|^reindex (?!.*\bconcurrently\b)/i,
  ],
  [
    'changes rows, which is the work of a job',
    /^(?:update|delete|truncate|with)\b|^insert into\b[\s\S]*\bselect\b/i,
  ],
  ['locks a table', /^lock\b/i],
];

/** Tables that stay small in every deployment: whatever reads or writes them whole takes no time. */
const small: ReadonlySet<string> = new Set([
  'chaos',
  'clients',
  'client_secrets',
  'document_publications',
  'document_versions',
  'legal_texts',
  'logos',
  'processes',
  'service_keys',
  'tenants',
  'term_changes',
  'waiting_terms',
  'webhook_endpoints',
  'webhook_secrets',
]);
/** The faults that a small table bears. */
const forSmall: ReadonlySet<string> = new Set(
  rules
    .map(([fault]) => fault)
    .filter((fault) => /^(rewrites|reads the whole|locks the table|changes rows)/.test(fault)),
);

const made = /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/i;
const named =
  /^(?:alter table (?:only )?|create (?:unique )?index (?:if not exists )?\w+ on |update |delete from |insert into )([\w.]+)/i;

/** A statement that is let through, as the line before it says: its class and its reason. */
const exception = /^-- exception \((online|locks|stop first)\): .+$/m;

const weight = (one: string): number => migrationClasses.indexOf(one as MigrationClass);

/** The faults of a statement. */
function faultsOf(statement: string, isNew: (table: string) => boolean): string[] {
  const table = named.exec(statement)?.[1] ?? '';
  if (isNew(table)) return [];
  const found = rules.filter(([, is]) => is.test(statement)).map(([fault]) => fault);
  return small.has(table) ? found.filter((fault) => !forSmall.has(fault)) : found;
}

/**
 * Why a migration may not be released as it is: it would fail or stop the release before, which runs beside it.
 * @returns one line for each fault
 */
export function migrationFaults(name: string, sql: string): string[] {
  if (baseline.test(name)) return [];
  const classified = classOf(name, sql);
  if (!classified)
    return ['its first line says no class, or not which tables are locked and for how long'];
  const tables = new Set<string>();
  const faults: string[] = [];
  // A line of an exception is of the statement behind it alone.
  for (const part of sql.split(/^(?=-- exception )/m)) {
    const [, given] = exception.exec(part) ?? [];
    for (const [index, statement] of statementsOf(part).entries()) {
      const [, table] = made.exec(statement) ?? [];
      if (table) tables.add(table);
      const isExcepted = given !== undefined && index === 0;
      if (isExcepted && weight(given) > weight(classified.class))
        faults.push(
          `an exception of the class ${given} in a migration of the class ${classified.class}`,
        );
      const found = faultsOf(statement, (one) => tables.has(one));
      if (!isExcepted) faults.push(...found.map((fault) => `${fault}: ${statement.slice(0, 80)}`));
      else if (found.length === 0) faults.push(`needs no exception: ${statement.slice(0, 80)}`);
    }
  }
  return isMixed(sql)
    ? [...faults, 'an index that is made concurrently is a migration of its own']
    : faults;
}

const concurrent = /^(?:create (?:unique )?|drop )index concurrently\b/i;

/** Its statements cannot run in a transaction. */
export const isConcurrent = (sql: string): boolean => {
  const statements = statementsOf(sql);
  return statements.length > 0 && statements.every((statement) => concurrent.test(statement));
};

const isMixed = (sql: string): boolean =>
  !isConcurrent(sql) && statementsOf(sql).some((statement) => concurrent.test(statement));

/** The index that a statement makes concurrently, and the schema of its table; null: it makes none. */
export function indexOf(
  statement: string,
): { readonly index: string; readonly schema: string | null } | null {
  const [, index, schema] =
    /^create (?:unique )?index concurrently (?:if not exists )?(\w+) on (?:only )?(?:(\w+)\.)?\w+/i.exec(
      statement,
    ) ?? [];
  return index === undefined ? null : { index, schema: schema ?? null };
}
