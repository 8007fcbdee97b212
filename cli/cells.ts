import { type Declaration, json, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Options {
  readonly json?: true;
}

const createIt = 'Make one: npm run cli -- cells create --name NAME';
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const tenantsOf = (count: number): string => (count === 1 ? '1 tenant' : `${count} tenants`);

/** `cells list`: every cell of the database, and what it holds. */
function list(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'cells', 'list', {});
  const width = Math.max(0, ...answer.cells.map(({ name }) => name.length));
  const lines = answer.cells.map(({ name, tenants, bytes, waiting, is_own, is_remote }) =>
    [
      `  ${name.padEnd(width)}`,
      tenantsOf(tenants),
      megabytes(bytes),
      waiting.length > 0 ? `migrations that wait: ${waiting.length}` : 'up to date',
      ...(is_own ? ['served by these settings'] : []),
      ...(is_remote ? ['in a database of its own'] : []),
    ].join('  '),
  );
  const isBehind = answer.cells.some(({ waiting }) => waiting.length > 0);
  return print(terminal, options, answer, [
    `Cells: ${answer.cells.length || 'none'}.`,
    ...lines,
    isBehind ? 'Bring them up to date: npm run cli -- cells migrate' : createIt,
  ]);
}

/** Lines for processes of the cell alone. @param url null: a sandbox's own database has none */
const apart = (url: string | null): string[] =>
  url === null
    ? []
    : [
        'To serve it apart, start it with an address of its own in PUBLIC_URL, and with the password in',
        `  DATABASE_URL='${url}'`,
      ];

/** `cells create`: a schema with all tables, for Tenants of its own. */
function create(terminal: Terminal, options: Options & { readonly name: string }): ExitCode {
  const { name } = options;
  const answer = operate(terminal, 'cells', 'create', { name });
  return print(terminal, options, answer, [
    `Made the cell ${name}: ${answer.applied.length} migrations.`,
    ...(answer.is_on_citus
      ? ['It is served by every process that is started with CELLS=citus from now on.']
      : [
          'To serve it at the same address, start the service with',
          `  CELLS=${[...new Set([...answer.served, name])].join(',')}`,
        ]),
    ...apart(answer.database_url),
    `Then make its first tenant: npm run cli -- tenants create --name NAME --cell ${name}`,
  ]);
}

/** `cells migrate`: brings every cell of the database up to date. */
function migrate(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'cells', 'migrate', {});
  return print(terminal, options, answer, [
    ...answer.cells.map(
      ({ name, applied }) => `${name}: ${applied.join(', ') || 'nothing waited'}.`,
    ),
    answer.cells.length > 0
      ? 'Next, start the processes of this release: npm start'
      : `There is no cell. ${createIt}`,
  ]);
}

/** `cells check`: what keeps processes from serving a cell; a fault is exit code 1. */
function check(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'cells', 'check', {});
  print(terminal, options, answer, [
    ...answer.cells.map(({ name, faults }) => `${name}: ${faults.join(' ') || 'can be served.'}`),
    answer.ok ? 'Nothing to do.' : 'Mend what is named above, then check again.',
  ]);
  return answer.ok ? exitCodes.done : exitCodes.failed;
}

export function declareCells({ terminal, root, add }: Declaration): void {
  const cells = add(root, 'cells', 'the cells of the databases that the settings name', []);
  const name = ['--name <name>', 'small letters, digits and _', 'required'] as const;
  add(cells, 'list', 'every cell, its tenants and its size', [json], (options: Options) =>
    list(terminal, options),
  );
  add(
    cells,
    'create',
    'make a cell: a schema with all tables',
    [name, json],
    (options: Options & { readonly name: string }) => create(terminal, options),
  );
  add(cells, 'migrate', 'bring every cell up to date', [json], (options: Options) =>
    migrate(terminal, options),
  );
  const about = 'what keeps processes of these settings from serving a cell; exit code 1';
  add(cells, 'check', about, [json], (options: Options) => check(terminal, options));
}
