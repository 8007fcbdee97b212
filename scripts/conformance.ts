import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Deployment,
  openConformance,
  operations,
  type Verdict,
} from '../test/contract/run.ts';
import type { Credentials, Scenario } from '../test/contract/scenario.ts';
import { openSender } from '../test/contract/send.ts';
import { openWhole } from '../test/contract/whole.ts';
import { caller, fetchToken } from '../test/kit/http/http.ts';

/**
 * `npm run conformance -- --base-url URL [--only OPERATION,…] [--json FILE]`: checks a sandbox
 * against the contract (rules/operations#39). CLIENT_ID and CLIENT_SECRET name the Tenant; with
 * OTHER_CLIENT_ID and OTHER_CLIENT_SECRET it also checks what another Tenant sees. It leaves some
 * hundred customers and moves the Tenant's clock a few days ahead, so use a separate Tenant
 * (`npm run cli -- tenants create --name Conformance --rate-limit 1000000`);
 * settings and chaos are restored. With --only it checks only these operations. Exit code 1 on any
 * violation, 2 on wrong usage.
 */

const usage = 'CLIENT_ID=… CLIENT_SECRET=… npm run conformance -- --base-url URL';

interface Options {
  readonly baseUrl: string;
  readonly only: readonly string[];
  readonly json: string | undefined;
}

function wrong(message: string): never {
  process.stderr.write(`error: ${message}\nusage: ${usage} [--only OPERATION,…] [--json FILE]\n`);
  process.exit(2);
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        'base-url': { type: 'string' },
        only: { type: 'string' },
        json: { type: 'string' },
      },
    });
    const baseUrl = values['base-url'] ?? process.env.BASE_URL;
    if (baseUrl === undefined || !URL.canParse(baseUrl)) wrong('--base-url is no address');
    const only = values.only?.split(',') ?? [];
    const unknown = only.filter((id) => !operations.some((operation) => operation.id === id));
    if (unknown.length > 0) wrong(`no such operation: ${unknown.join(', ')}`);
    return { baseUrl: baseUrl.replace(/\/$/, ''), only, json: values.json };
  } catch (error) {
    return wrong((error as Error).message);
  }
}

const { baseUrl, only, json } = readOptions();

/** A Tenant's credentials in these variables; null where they are not set. */
function credentialsOf(prefix: string): Credentials | null {
  const client_id = process.env[`${prefix}CLIENT_ID`];
  const client_secret = process.env[`${prefix}CLIENT_SECRET`];
  return client_id && client_secret ? { client_id, client_secret } : null;
}

/** Events that time alone causes while the cases run. */
const byItself = /\.expired$/;

/** A snapshot of the records: the latest events, and both balances. */
async function digest({
  token,
  payer,
  shop,
}: Pick<Scenario, 'token' | 'payer' | 'shop'>): Promise<string> {
  const call = caller(baseUrl, token);
  // The effects of earlier cases come first.
  await call('POST', '/portal/api/clock/advance', { body: { seconds: 0 } });
  const accounts = [payer, shop].map(({ accountId }) => `/v1/accounts/${accountId}/balance`);
  const [events, ...balances] = await Promise.all(
    ['/v1/webhook-events?limit=100', ...accounts].map((path) => call('GET', path)),
  );
  const shown = events?.body.data.filter(({ type }: { type: string }) => !byItself.test(type));
  return JSON.stringify([
    shown?.[0]?.id,
    balances.map(({ body: { as_of: _, ...balance } }) => balance),
  ]);
}

async function openDeployment(): Promise<Deployment> {
  const credentials = credentialsOf('');
  if (credentials === null) return wrong('CLIENT_ID and CLIENT_SECRET are not set');
  const others = credentialsOf('OTHER_');
  return {
    baseUrl,
    sender: openSender(baseUrl, { patient: true }),
    token: await fetchToken(baseUrl, credentials),
    credentials,
    strangerToken: others && (await fetchToken(baseUrl, others)),
    digest,
  };
}

const line = (text: string) => process.stdout.write(`${text}\n`);

interface Timed extends Verdict {
  readonly seconds: number;
}

interface Held {
  readonly verdicts: readonly Timed[];
  /** Operations of the contract that never replied with success. */
  readonly unanswered: readonly string[];
}

/** Checks one operation after another and prints each result. */
async function hold(deployment: Deployment): Promise<Held> {
  const conformance = await openConformance(deployment);
  const chosen = operations.filter(({ id }) => only.length === 0 || only.includes(id));
  const verdicts: Timed[] = [];
  for (const [index, operation] of chosen.entries()) {
    const begun = performance.now();
    const verdict = await conformance.check(operation);
    verdicts.push({ ...verdict, seconds: (performance.now() - begun) / 1_000 });
    const count = verdict.violations.length;
    const said = count === 0 ? 'conforms' : `${count} violations`;
    line(`[${index + 1}/${chosen.length}] ${operation.method} ${operation.path}: ${said}`);
    for (const violation of verdict.violations) line(`    ${violation}`);
  }
  const unanswered = chosen.map(({ id }) => id).filter((id) => !conformance.answered.has(id));
  return { verdicts, unanswered };
}

/** Checks the moves, the refusals and the events, and prints each result. */
async function holdWhole({ token, digest }: Deployment): Promise<readonly Timed[]> {
  const parts: Timed[] = [];
  const whole = await openWhole({ baseUrl, token, digest });
  for (const part of [whole.moves, whole.refusals, whole.events]) {
    const begun = performance.now();
    const verdict = await part();
    parts.push({ ...verdict, seconds: (performance.now() - begun) / 1_000 });
    line(`${verdict.operation}: ${verdict.cases} cases`);
    for (const said of verdict.exempt) line(`    not tried: ${said}`);
    for (const violation of verdict.violations) line(`    ${violation}`);
  }
  await whole.close();
  return parts;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const [name = '', ...figures] of rows) {
    const right = figures.map((figure, index) => figure.padStart(widths?.[index + 1] ?? 0));
    line([name.padEnd(widths?.[0] ?? 0), ...right].join('  '));
  }
}

const sum = (verdicts: readonly Timed[], of: (verdict: Timed) => number) =>
  verdicts.reduce((total, verdict) => total + of(verdict), 0);

function report(verdicts: readonly Timed[], parts: readonly Timed[]) {
  const figures = (list: readonly Timed[]) => [
    String(sum(list, ({ cases }) => cases)),
    String(sum(list, ({ violations }) => violations.length)),
    sum(list, ({ seconds }) => seconds).toFixed(1),
  ];
  line('');
  printTable([
    ['operation', 'cases', 'violations', 'seconds'],
    ...[...verdicts, ...parts].map((verdict) => [verdict.operation, ...figures([verdict])]),
    [`${verdicts.length} operations`, ...figures([...verdicts, ...parts])],
  ]);
}

const deployment = await openDeployment();
if (deployment.strangerToken === null)
  line('Without OTHER_CLIENT_ID and OTHER_CLIENT_SECRET: what another Tenant sees is not checked.');
const { verdicts, unanswered } = await hold(deployment);
const parts = only.length === 0 ? await holdWhole(deployment) : [];
await deployment.sender.close();
report(verdicts, parts);
const answered = verdicts.length - unanswered.length;
line(
  `${answered} of ${verdicts.length} operations answered with success${
    unanswered.length > 0 ? `; never: ${unanswered.join(', ')}` : ''
  }`,
);
const violations =
  sum([...verdicts, ...parts], (verdict) => verdict.violations.length) + unanswered.length;
if (json !== undefined)
  writeFileSync(
    json,
    `${JSON.stringify({ base_url: baseUrl, violations, unanswered, operations: verdicts, parts }, null, 2)}\n`,
  );
process.exitCode = violations === 0 ? 0 : 1;
