import { readFileSync } from 'node:fs';
import {
  createTenant,
  type SandboxFacts,
} from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { connectOperator } from './connect.ts';
import { baseUrl, type Declaration, json, print } from './declare.ts';
import { type AnswerOf, isDirect, operate, type WayOptions } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly json?: true;
}

interface CreateOptions extends WayOptions, Options {
  readonly name: string;
  readonly rateLimit?: string;
  readonly settings?: string;
  readonly cell?: string;
}

function rateLimitOf(text: string | undefined): { rate_limit?: number } {
  if (text === undefined) return {};
  if (/^[1-9]\d{0,7}$/.test(text)) return { rate_limit: Number(text) };
  const hint = 'It is the number of requests in 60 seconds, such as 6000.';
  throw new UsageError(`--rate-limit ${text} is not a whole number above 0`, hint);
}

/** Only what this repository's own check takes is made of it. */
function settingsOf(path: string | undefined): { settings?: object } {
  if (path === undefined) return {};
  try {
    return { settings: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    const hint = 'It holds settings as `settings get --json` prints them, as many as you like.';
    throw new UsageError(`--settings ${path}: ${(error as Error).message}`, hint);
  }
}

const columns = [
  ['base URL', 'base_url'],
  ['client id', 'client_id'],
  ['client secret', 'client_secret'],
  ['webhook secret', 'webhook_secret'],
  ['portal', 'portal_url'],
  ['sign in (once)', 'portal_sign_in_url'],
  ['shop', 'shop_url'],
  ['docs', 'docs_url'],
] as const satisfies readonly (readonly [string, keyof SandboxFacts])[];

const factLines = (facts: SandboxFacts): string[] =>
  columns.flatMap(([label, field]) =>
    facts[field] === null ? [] : [`  ${label.padEnd(16)}${facts[field]}`],
  );

/** A command works on the first cell that `CELLS` names. */
const inCell = (terminal: Terminal, cell: string | undefined): Terminal =>
  cell === undefined ? terminal : { ...terminal, env: { ...terminal.env, CELLS: cell } };

const once = 'Save both secrets now: they are shown only once.';

/** `tenants create`: creates another tenant, with its own credentials. */
async function create(terminal: Terminal, options: CreateOptions): Promise<ExitCode> {
  const { name } = options;
  const body = { name, ...rateLimitOf(options.rateLimit) };
  const title = `Created the tenant "${name}":`;
  if (isDirect(terminal, options)) {
    const given = { ...body, ...settingsOf(options.settings) };
    const made = operate(inCell(terminal, options.cell), 'tenants', 'create', given);
    const id = `  ${'tenant id'.padEnd(16)}${made.tenant_id}`;
    const next = [
      'Next, invite its owner, and say where its events go:',
      `  npm run cli -- members invite --email … --role owner --tenant ${made.tenant_id}`,
      `  npm run cli -- webhooks endpoint --url https://… --tenant ${made.tenant_id}`,
    ];
    const words = [title, id, ...factLines(made), once, ...next];
    return print(terminal, options, made, words);
  }
  if (options.settings !== undefined) {
    const hint = 'Create it, then: npm run cli -- settings set KEY=JSON --tenant ID';
    throw new UsageError('--settings is for production', hint);
  }
  const { cell } = options;
  const asked = { ...body, ...(cell === undefined ? {} : { cell }) };
  const { data } = await connectOperator(terminal, options).request(createTenant, asked);
  const next = [
    'Next, set CLIENT_ID and CLIENT_SECRET to the values above and run:',
    `  npm run cli -- clock --base-url ${data.base_url}`,
  ];
  return print(terminal, options, data, [title, ...factLines(data), once, ...next]);
}

/** `tenants list`: every tenant of the database, newest first. */
function list(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'tenants', 'list', {});
  const rows = answer.data.map(
    ({ id, created_at, suspended_at, name }) =>
      `${id}  ${created_at}  ${suspended_at === null ? 'active   ' : 'suspended'}  ${name}`,
  );
  const next =
    rows.length > 0
      ? 'Look at one with: npm run cli -- tenants show ID'
      : 'Create one with: npm run cli -- tenants create --name NAME';
  return print(terminal, options, answer, [...rows, next]);
}

/** A tenant in words. @param next what to do about it */
function show(
  terminal: Terminal,
  options: Options,
  answer: AnswerOf<'tenants', 'show'>,
  next: string,
): ExitCode {
  const { suspended_at, suspended_reason, webhook_endpoint: endpoint } = answer;
  const state = suspended_at === null ? 'active' : `suspended ${suspended_at}: ${suspended_reason}`;
  const events = endpoint.url ?? 'nowhere';
  const rows = [
    ['tenant id', answer.id],
    ['name', answer.name],
    ['created', answer.created_at],
    ['state', state],
    ['client id', answer.client_ids.join(', ')],
    ['events go to', endpoint.enabled || endpoint.url === null ? events : `${events} (disabled)`],
    ['customers', String(answer.customers)],
  ];
  const words = rows.map(([label = '', text]) => `${label.padEnd(16)}${text}`);
  return print(terminal, options, answer, [...words, next]);
}

function suspend(
  terminal: Terminal,
  tenant: string,
  options: Options & { readonly reason: string },
): ExitCode {
  const { reason } = options;
  const answer = operate(terminal, 'tenants', 'suspend', { tenant, reason });
  const ended = `Ended access tokens: ${answer.tokens_ended}; within a second no process takes one.`;
  const next = `${ended} What is under way ends. Undo it with: npm run cli -- tenants resume ${tenant}`;
  return show(terminal, options, answer, next);
}

/** `tenants move`: to another cell, while the service runs. */
function move(
  terminal: Terminal,
  tenant: string,
  options: Options & { readonly to: string },
): ExitCode {
  const answer = operate(terminal, 'tenants', 'move', { tenant, to: options.to });
  const { from, to, rows, rows_in_stop, stopped_ms, ledger } = answer;
  print(terminal, options, answer, [
    `Moved the tenant ${tenant} from ${from} to ${to}: ${rows} rows, compared one by one.`,
    `It was stopped for ${(stopped_ms / 1000).toFixed(1)} s, in which ${rows_in_stop} of them were copied.`,
    ledger.ok
      ? `Its ledger is correct there: ${ledger.checked} rows checked.`
      : `Its ledger is wrong there: ${JSON.stringify(ledger.violations)}`,
    ledger.ok
      ? `Look at it: CELLS=${to} npm run cli -- tenants show ${tenant}`
      : 'Stop moving money, keep the database as it is, and look at the records above.',
  ]);
  return ledger.ok ? exitCodes.done : exitCodes.failed;
}

export function declareTenants({ terminal, root, add }: Declaration): void {
  const tenants = add(root, 'tenants', 'the tenants of this deployment', []);
  const creating = [
    ['--name <name>', "the tenant's name", 'required'],
    ['--rate-limit <n>', 'requests in 60 s'],
    ['--cell <name>', 'the cell that it is made in; absent: the first one'],
    ['--settings <file>', 'JSON with settings that differ from the defaults; in production'],
    baseUrl,
    json,
  ] as const;
  const about = 'create a tenant and print its credentials';
  add(tenants, 'create', about, creating, (options: CreateOptions) => create(terminal, options));
  add(tenants, 'list', 'list the tenants, newest first', [json], (options) =>
    list(terminal, options),
  );
  add(tenants, 'show <id>', 'show a tenant', [json], (options, [tenant = '']) => {
    const next = `Its settings: npm run cli -- settings get --tenant ${tenant}`;
    return show(terminal, options, operate(terminal, 'tenants', 'show', { tenant }), next);
  });
  const reason = ['--reason <text>', 'why, for those who look later', 'required'] as const;
  const suspending = 'give it no access token and end those it has; what is under way ends';
  add(
    tenants,
    'suspend <id>',
    suspending,
    [reason, json],
    (options: Options & { readonly reason: string }, [tenant = '']) =>
      suspend(terminal, tenant, options),
  );
  add(tenants, 'resume <id>', 'let a suspended tenant go on', [json], (options, [tenant = '']) => {
    const next = 'Its server gets new access tokens by its secret; those from before stay ended.';
    return show(terminal, options, operate(terminal, 'tenants', 'resume', { tenant }), next);
  });
  const target = ['--to <cell>', 'the cell that it goes to', 'required'] as const;
  const moving = 'move it to another cell that CELLS names; it is stopped for seconds';
  add(
    tenants,
    'move <id>',
    moving,
    [target, json],
    (options: Options & { readonly to: string }, [tenant = '']) => move(terminal, tenant, options),
  );
}
