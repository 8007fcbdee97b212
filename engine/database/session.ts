import type pg from 'pg';
import { proveWritable } from './leader.ts';
import { openClient } from './pool.ts';

/** The way out, and the page that tells which pools work with which settings. */
const remedy = 'connect to PostgreSQL itself, or to a pool as docs/guide/operating/pools.md says';

/** The settings that a url names, as `-c name=value`. */
const named = /-c\s+([\w.]+)=(\S+)/g;

/** The settings that every session must run with, whatever the database's defaults are. */
function wantedOf(url: string): ReadonlyMap<string, string> {
  const options = new URL(url).searchParams.get('options') ?? '';
  const given = [...options.matchAll(named)].map(([, name = '', value = '']) => [name, value]);
  return new Map([['timezone', 'UTC'], ['datestyle', 'ISO'], ...given] as [string, string][]);
}

async function settingFault(client: pg.Client, url: string): Promise<string | null> {
  const wanted = wantedOf(url);
  const { rows } = await client.query<{ name: string; is: string | null }>(
    'select name, current_setting(name, true) as is from unnest($1::text[]) name',
    [[...wanted.keys()]],
  );
  // `ISO, MDY`: the order of days and months plays no part in ISO.
  const isWrong = ({ name, is }: (typeof rows)[number]) =>
    (name === 'datestyle' ? is?.split(',')[0] : is) !== wanted.get(name);
  const wrong = rows.find(isWrong);
  if (!wrong) return null;
  const { name, is } = wrong;
  return `its sessions have ${name} = ${is} instead of ${wanted.get(name)}, since a pool drops the startup parameter options; ${remedy}`;
}

/** A prepared statement that is not there, or was there before. */
const ofOthers: readonly unknown[] = ['26000', '42P05'];

/** Rounds in which two clients take turns: a pool hands its freshest session to whoever asks next. */
const rounds = 3;

/** The statement timeout that pools send. */
const statementTimeoutMs = 10_000;

/** Two clients have two sessions, each for as long as it is connected, with what it has prepared there. */
async function ownershipFault(clients: readonly pg.Client[]): Promise<string | null> {
  const fault = `a pool hands its sessions out by the transaction; ${remedy}`;
  const owners = new Map<number, pg.Client>();
  for (let round = 0; round < rounds; round += 1)
    for (const client of clients) {
      const statement = { name: 'whose', text: 'select pg_backend_pid() as pid' };
      const { rows } = await client.query<{ pid: number }>(statement).catch((error) => {
        if (ofOthers.includes(error.code)) return { rows: [] };
        throw error;
      });
      const [row] = rows;
      if (!row || (owners.get(row.pid) ?? client) !== client) return fault;
      owners.set(row.pid, client);
    }
  return owners.size === clients.length ? null : fault;
}

/**
 * Proves that sessions at an address are the service's own, and run with its settings (rules/operations#4).
 * @throws one line that says what is wrong, or what the connection says
 */
export async function proveSessions(url: string): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    for (let count = 0; count < 2; count += 1)
      clients.push(await openClient(url, { statementTimeoutMs }));
    const [first] = clients;
    if (first) await proveWritable(first);
    const fault = (first && (await settingFault(first, url))) ?? (await ownershipFault(clients));
    if (fault !== null) throw new Error(fault);
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith('unsupported startup parameter')) throw error;
    throw new Error(`a pool refuses it: ${message}; ${remedy}`, { cause: error });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
