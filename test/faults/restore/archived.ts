import { appendFile, chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClient } from '../../../engine/database/pool.ts';
import { startEmbedded } from '../../../service/db/embedded.ts';
import { backUpHome, replaceHome } from '../../../service/db/embedded_backup.ts';
import { findHome } from '../../../service/db/embedded_place.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { makeServiceLogin } from '../../../service/db/service_role.ts';
import type { TestDatabase } from '../../kit/database/database.ts';
import { temporaryDataDir } from '../../kit/database/database_server.ts';
import { databaseUrl } from '../../kit/database/database_url.ts';
import { until } from '../../kit/wait.ts';

/** A PostgreSQL whose log is archived, and what is restored of it. */
export interface Archived {
  readonly database: TestDatabase;
  /** A base backup, while it runs. */
  backUp(): Promise<void>;
  /** Resolves when the whole log up to now is in the archive. @returns an instant of the database before that */
  archived(): Promise<void>;
  now(): Promise<string>;
  /** kill -9: from now on there is the archive alone. */
  lose(): Promise<void>;
  /** A new server from the backup and the archive. @returns it and how long its recovery took */
  restore(to: string): Promise<{ readonly database: TestDatabase; readonly tookMs: number }>;
  stop(): Promise<void>;
}

async function ask(url: string, text: string) {
  const client = await openClient(url, { statementTimeoutMs: 30_000 });
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const databaseOf = async (url: string): Promise<TestDatabase> => ({
  url,
  serviceUrl: await makeServiceLogin(url),
  drop: async () => {},
});

/** Starts one, empty and migrated. */
export async function startArchived(): Promise<Archived> {
  const [dataDir, kept, restoredDir] = [
    await temporaryDataDir(),
    await temporaryDataDir(),
    await temporaryDataDir(),
  ];
  const archive = join(kept, 'archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  await (await startEmbedded({ dataDir })).stop();
  const home = await findHome(dataDir);
  if (!home) throw new Error('a server that ran has a home');
  const cluster = join(home.folder, 'cluster');
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`,
  );
  const server = await startEmbedded({ dataDir });
  await ask(server.url, 'create database proof');
  const url = databaseUrl(server.url, 'proof');
  await migrate(url);
  const backup = join(kept, 'backup');
  let restored: { stop(): Promise<void> } | null = null;
  return {
    database: await databaseOf(url),
    async backUp() {
      await backUpHome(server.url, home.folder, backup);
    },
    async archived() {
      const [{ name } = { name: '' }] = await ask(
        url,
        'select pg_walfile_name(pg_switch_wal()) as name',
      );
      await until(async () => (await readdir(archive)).includes(String(name)), {
        what: 'the archive',
      });
    },
    async now() {
      const [row] = await ask(url, 'select extract(epoch from clock_timestamp())::float8 as at');
      return new Date(Number(row?.at) * 1_000).toISOString();
    },
    lose: () => server.stop(),
    async restore(to) {
      const beganMs = performance.now();
      await replaceHome(restoredDir, backup, to, async () => {});
      const place = join(restoredDir, 'postgres', 'cluster');
      await appendFile(
        join(place, 'postgresql.auto.conf'),
        `archive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\n` +
          `recovery_target_time = '${to.replace('Z', '+00')}'\nrecovery_target_action = 'promote'\n`,
      );
      await writeFile(join(place, 'recovery.signal'), '');
      const again = await startEmbedded({ dataDir: restoredDir });
      restored = again;
      const there = databaseUrl(again.url, 'proof');
      await until(async () => {
        const rows = await ask(there, 'select pg_is_in_recovery() as waits').catch(() => []);
        return rows[0]?.waits === false;
      });
      return { database: await databaseOf(there), tookMs: performance.now() - beganMs };
    },
    async stop() {
      await restored?.stop();
      for (const folder of [dataDir, kept, restoredDir])
        await rm(folder, { recursive: true, force: true });
    },
  };
}
