import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionLost } from '../lost.ts';
import { hostsOf, wantsWrites } from './hosts.ts';

/** The last server that took writes answers within this; after it the others are asked too. */
const headStartMs = 300;
/** When all others take no writes it has so long more: it may be gone, and one of them take its place. */
const patienceMs = 500;

/** The host that took writes when it was asked last, by list of hosts. */
const leading = new Map<string, number>();

type OnChange = (leader: string) => void;
const listeners = new Map<string, Set<OnChange>>();

const keyOf = (hosts: readonly string[]): string => hosts.map((one) => new URL(one).host).join(',');

/** The address of the host that took writes when one was asked last; at first the first one. */
export function leaderOf(url: string): string {
  const hosts = hostsOf(url);
  return hosts[leading.get(keyOf(hosts)) ?? 0] ?? hosts[0];
}

/** Calls `heard` with the address of another host when that takes writes. @returns ends it */
export function onLeaderChange(url: string, heard: OnChange): () => void {
  const key = keyOf(hostsOf(url));
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all);
  all.add(heard);
  return () => void all.delete(heard);
}

function lead(hosts: readonly string[], index: number): void {
  const key = keyOf(hosts);
  const before = leading.get(key) ?? 0;
  leading.set(key, index);
  if (index !== before) for (const heard of listeners.get(key) ?? []) heard(hosts[index] ?? '');
}

/** PostgreSQL's error code for a write in a read-only transaction. */
const readOnly = '25006';

/** @throws as a write would on a standby, and on a server whose transactions are read-only */
export async function proveWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'show transaction_read_only',
  );
  if (rows[0]?.transaction_read_only !== 'on') return;
  const text = 'the server takes no writes: it is a standby, or its transactions are read-only';
  throw Object.assign(new pg.DatabaseError(text, text.length, 'error'), { code: readOnly });
}

type Open = (url: string) => Promise<pg.Client>;

async function openWritable(open: Open, url: string): Promise<pg.Client> {
  const client = await open(url);
  try {
    await proveWritable(client);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

const isReadOnly = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === readOnly;

/**
 * The error that tells an operator most: a fault that no retry mends, then a server without writes, then one that is
 * away.
 */
const telling = (errors: readonly unknown[]): unknown =>
  errors.find((error) => !connectionLost(error)) ?? errors.find(isReadOnly) ?? errors[0];

/** Closes what the attempts bring, but for one client. */
function closeBut(attempts: readonly Promise<pg.Client>[], kept: pg.Client | null): void {
  for (const attempt of attempts)
    attempt.then(
      (client) => (client === kept ? undefined : client.end()),
      () => {},
    );
}

/**
 * The first of the attempts that succeeds; the clients of the others are closed.
 * @param head has not answered yet, and is not waited for long once all others have refused
 */
async function firstOf(
  head: Promise<pg.Client>,
  others: readonly Promise<pg.Client>[],
): Promise<pg.Client> {
  const refused = Promise.any(others).catch(async ({ errors }: AggregateError) => {
    await Promise.race([head.catch(() => {}), sleep(patienceMs)]);
    throw telling(errors);
  });
  try {
    const first = await Promise.any([Promise.race([head, refused]), refused]);
    closeBut([head, ...others], first);
    return first;
  } catch (error) {
    closeBut([head, ...others], null);
    throw telling((error as AggregateError).errors);
  }
}

/**
 * A connection to the one of the address's hosts that takes writes: the last one that did, and after a moment
 * any. An address that does not ask for one, by `target_session_attrs`, is connected to as it is.
 * @throws what its hosts say where none does
 */
export async function openAtLeader(url: string, open: Open): Promise<pg.Client> {
  if (!wantsWrites(url)) return open(hostsOf(url)[0]);
  const hosts = hostsOf(url);
  const first = leading.get(keyOf(hosts)) ?? 0;
  const places = new Map<pg.Client, number>();
  const attempt = async (index: number): Promise<pg.Client> => {
    const client = await openWritable(open, hosts[index] ?? hosts[0]);
    places.set(client, index);
    return client;
  };
  const head = attempt(first);
  const early = await Promise.race([head.catch(() => null), sleep(headStartMs, null)]);
  if (early) return early;
  const rest = hosts.flatMap((_, index) => (index === first ? [] : [attempt(index)]));
  const client = await (rest.length === 0 ? head : firstOf(head, rest));
  lead(hosts, places.get(client) ?? first);
  return client;
}

/** Searches under way, so that many connections that were lost at once search once. */
const searches = new Map<string, Promise<void>>();

/** Finds the host that takes writes now. @throws what the hosts say where none does */
export function findLeader(url: string, open: Open): Promise<void> {
  const key = keyOf(hostsOf(url));
  const found =
    searches.get(key) ??
    openAtLeader(url, open)
      .then((client) => client.end())
      .finally(() => searches.delete(key));
  searches.set(key, found);
  return found;
}
