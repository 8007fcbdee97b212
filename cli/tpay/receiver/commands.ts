import { randomBytes } from 'node:crypto';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { type Flag, print } from '../../declare.ts';
import { type ExitCode, exitCodes, UsageError } from '../../terminal.ts';
import { assertAgreed } from '../agree.ts';
import type { Declare } from '../family.ts';
import { textOf } from '../given.ts';
import { headersOf } from '../listen/headers.ts';
import { targetOf } from '../listen/routes.ts';
import type { Console, Options } from '../options.ts';
import { columns } from '../show.ts';
import { secretsOf } from '../signature/secrets.ts';
import { checkedDuration } from '../times.ts';
import { check, dutiesOf, type Row } from './check.ts';
import { openPlay, type Target } from './play.ts';
import { stateReader } from './state.ts';

interface CheckOptions extends Options {
  readonly secret?: string;
  readonly state?: string;
  readonly set?: readonly string[];
  readonly failing?: string;
  readonly only?: string;
  readonly header?: readonly string[];
  readonly within?: string;
  readonly seed?: string;
  readonly yes?: true;
  readonly list?: true;
}

/** The number of requests that a whole check sends, and no more. */
export const mostRequests = 150;

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** @throws UsageError for what could not be an endpoint */
function endpointOf(given: string | undefined): string {
  if (given === undefined)
    throw new UsageError('check needs an address', 'As in: tpay receiver check 3000/webhooks');
  const url = targetOf(given);
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  throw new UsageError('an endpoint holds no credentials', 'Give them with --header, if any.');
}

/** `@file` or `-`; else PAY_WEBHOOK_SECRET, else that of the account. Several with commas between. */
async function givenSecrets(terminal: Console, options: CheckOptions): Promise<string[]> {
  const { secret } = options;
  if (secret === undefined) return secretsOf(terminal, options);
  if (secret !== '-' && !secret.startsWith('@'))
    throw new UsageError(
      'a secret does not stand in a command',
      'Set PAY_WEBHOOK_SECRET, or give --secret @file, or --secret -',
    );
  const text = await textOf(terminal, options, secret, '--secret @secret.txt');
  const secrets = text.split(/[,\s]+/).filter((part) => part !== '');
  if (secrets.length > 0) return secrets;
  throw new UsageError('--secret holds no secret', 'Give the secret as the portal shows it.');
}

function limitOf({ within }: CheckOptions): number {
  if (within === undefined) return deliveryTimeoutSeconds * 1_000;
  const seconds = checkedDuration('--within', within);
  if (seconds <= deliveryTimeoutSeconds) return seconds * 1_000;
  const most = `${deliveryTimeoutSeconds}s`;
  throw new UsageError(`the service waits ${most}, and no longer`, `Give ${most} or less.`);
}

async function targetFrom(
  terminal: Console,
  options: CheckOptions,
  given: string | undefined,
): Promise<Target> {
  const headers = headersOf(options.header);
  const { state } = options;
  return {
    url: endpointOf(given),
    limitMs: limitOf(options),
    secrets: await givenSecrets(terminal, options),
    headers,
    seed: options.seed ?? randomBytes(4).toString('hex'),
    settings: options.set ?? [],
    failing: options.failing ?? null,
    state: state === undefined ? null : stateReader(targetOf(state), headers),
    effectMs: 1_000,
    quietMs: 300,
  };
}

/** Nobody is asked about a server on this machine. */
async function announce(terminal: Console, options: CheckOptions, { url, seed, secrets }: Target) {
  const signed = secrets.length === 1 ? 'the secret' : `each of ${secrets.length} secrets`;
  terminal.err(`To ${url} go up to ${mostRequests} events, signed with ${signed}.`);
  terminal.err(`They look real, and the records in them exist nowhere (seed ${seed}).`);
  if (loopback.test(new URL(url).hostname)) return;
  terminal.err('A shop that takes orders could act on them: check one that is made for tests.');
  await assertAgreed(terminal, options, {
    act: `Send them to ${new URL(url).host}`,
    would: `made-up events would go to ${new URL(url).host}`,
  });
}

const verdicts = { pass: 'PASS', fail: 'FAIL', not_shown: 'NOT SHOWN' } as const;

function rowLines({ id, duty, verdict, reason, rule }: Row): string[] {
  const line = `${verdicts[verdict].padEnd(9)}  ${id.padEnd(22)}  ${duty}`;
  if (verdict === 'pass') return [`${line}  (${reason})`];
  const read = verdict === 'fail' ? ` Read ${rule}.` : '';
  return [line, `${' '.repeat(35)}${reason}.${read}`];
}

function list(terminal: Console, options: CheckOptions): ExitCode {
  const rows = dutiesOf(options.only).map(({ id, duty, rule }) => ({ id, duty, rule }));
  const lines = columns(rows.map(({ id, duty, rule }) => [id, duty, rule]));
  return print(terminal, options, { data: rows }, lines);
}

/** `receiver check`: what a receiver owes to the contract, seen from outside (rules/tpay#23). */
async function checkReceiver(
  terminal: Console,
  options: CheckOptions,
  given: string | undefined,
): Promise<ExitCode> {
  if (options.list) return list(terminal, options);
  const asked = dutiesOf(options.only);
  const target = await targetFrom(terminal, options, given);
  await target.state?.();
  await announce(terminal, options, target);
  const play = openPlay(target);
  const rows: Row[] = [];
  for await (const row of check(play, asked)) {
    rows.push(row);
    if (!options.json) for (const line of rowLines(row)) terminal.out(line);
  }
  const count = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const [passed, failed, hidden] = [count('pass'), count('fail'), count('not_shown')];
  const { url, seed } = target;
  const answer = { ok: failed === 0, url, seed, requests: play.count(), duties: rows };
  print(terminal, options, answer, [
    `${passed} passed, ${failed} failed, ${hidden} not shown; ${play.count()} requests.`,
    'The rules are in the documentation of the service: tpay open docs',
  ]);
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

const flags: readonly Flag[] = [
  ['--secret <@file>', 'the signing secret from a file, or -; else PAY_WEBHOOK_SECRET'],
  ['--state <url>', 'answers GET with what your application holds; compared before and after'],
  ['--set <path=value>', 'change the payments of the events: order_reference=1001', 'repeated'],
  ['--failing <path=value>', 'makes your handling of a payment fail: order_reference=broken'],
  ['--only <duties>', 'these alone, with commas between, and what they need'],
  ['--header <name: value>', 'sent with each request', 'repeated'],
  ['--within <duration>', 'how long an answer may take; 10s unless given'],
  ['--seed <text>', 'from which all ids come; the same text, the same ids'],
  ['--yes', 'do not ask'],
  ['--list', 'list the duties, and send nothing'],
];

export const declareReceiver: Declare = ({ terminal, add }, command) => {
  const about = 'play what the contract allows against your endpoint';
  add<CheckOptions>(command, 'check [url]', about, flags, (options, [url]) =>
    checkReceiver(terminal, options, url),
  );
};
