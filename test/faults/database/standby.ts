import { execFile } from 'node:child_process';
import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openClient } from '../../../engine/database/pool.ts';
import { type EmbeddedServer, startEmbedded } from '../../../service/db/embedded.ts';
import { temporaryDataDir } from '../../kit/database/database_server.ts';
import { until } from '../../kit/wait.ts';
import { killAll, type Postgres } from './postgres.ts';

const run = promisify(execFile);

/** A streaming standby of a primary: everything that it commits arrives here. */
export interface Standby {
  /** The address of a database of the primary, on this server. */
  urlOf(primaryUrl: string): string;
  /** Resolves when all that the primary has written has arrived, and writes are taken. */
  promote(): Promise<void>;
  /** The same, of a primary that is gone: what it had sent is all that there is. */
  takeOver(): Promise<void>;
  /** kill -9 of the postmaster and its children. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The same address on another server, which has the logins of the first. */
function onServer(server: EmbeddedServer, url: string): string {
  const there = new URL(url);
  there.searchParams.set('host', new URL(server.url).searchParams.get('host') ?? '');
  return there.href;
}

async function writeAsOwner(cluster: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(cluster);
  await writeFile(join(cluster, name), text);
  await chown(join(cluster, name), uid, gid);
}

/** A base backup of the running primary, as `pg_basebackup` makes it, which npm's PostgreSQL lacks. */
async function copyCluster(
  primary: Pick<Postgres, 'url' | 'query'>,
  dataDir: string,
): Promise<string> {
  const client = await openClient(primary.url);
  try {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    );
    const from = rows[0]?.folder ?? '';
    await appendFile(join(from, 'pg_hba.conf'), 'local replication all scram-sha-256\n');
    await client.query(`select pg_reload_conf(), pg_backup_start('standby', true)`);
    // With its owner, who starts it.
    await run('cp', ['-a', join(from, '..'), join(dataDir, 'postgres')]);
    const { rows: stopped } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    const cluster = join(dataDir, 'postgres', 'cluster');
    await writeAsOwner(cluster, 'backup_label', stopped[0]?.labelfile ?? '');
    await writeAsOwner(cluster, 'standby.signal', '');
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    return cluster;
  } finally {
    await client.end();
  }
}

/** Makes a standby of a primary and waits until it has caught up. */
export async function startStandby(primary: Pick<Postgres, 'url' | 'query'>): Promise<Standby> {
  const dataDir = await temporaryDataDir();
  const cluster = await copyCluster(primary, dataDir);
  const { searchParams, username, password, port } = new URL(primary.url);
  const connection = `host=${searchParams.get('host')} port=${port} user=${username} password=${password}`;
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  const server = await startEmbedded({ dataDir });
  return {
    urlOf: (url) => onServer(server, url),
    async promote() {
      const [written] = await primary.query('select pg_current_wal_lsn() as at');
      const client = await openClient(server.url);
      try {
        await until(async () => {
          const { rows } = await client.query(
            'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there',
            [written?.at],
          );
          return rows[0]?.is_there;
        });
        await client.query('select pg_promote()');
      } finally {
        await client.end();
      }
    },
    async takeOver() {
      const client = await openClient(server.url);
      await client.query('select pg_promote()').finally(() => client.end());
    },
    kill: () => killAll(server.pid),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
