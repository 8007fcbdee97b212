import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asUrl } from '../../../engine/database/hosts.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { makeServiceLogin } from '../../../service/db/service_role.ts';
import { temporaryDataDir } from '../../kit/database/database_server.ts';
import { freePort } from '../../kit/processes/free_port.ts';
import { until } from '../../kit/wait.ts';
import { makeFolder, type Node, openNode } from './member.ts';
import { signal, startProgram } from './programs.ts';
import { haproxyFile, programAt } from './settings.ts';

const run = promisify(execFile);
const database = 'pay';
const leastPatroni = 4;
/** A member that was away comes back by itself, or is copied anew. */
const backMs = 90_000;
const copiedMs = 240_000;
const askedWithinMs = 5_000;
const shownOfLog = 8_000;

/** Two members, etcd and haproxy on loopback, each in a temporary folder. */
export interface Cluster {
  /** Both members in one address, as the owner and the service reach them. */
  readonly url: string;
  readonly serviceUrl: string;
  /** The versions of PostgreSQL and Patroni. */
  readonly version: string;
  /** The node that takes writes, and the one that follows. @throws while nobody leads */
  roles(): Promise<{ leader: Node; standby: Node }>;
  /**
   * Waits until one leads and the other is its synchronous standby. One that does not come back is made anew, as the
   * guide says. @returns whether it was
   */
  whole(): Promise<boolean>;
  /** `patronictl switchover`. */
  switchover(): Promise<void>;
  /** A member and everybody else hear nothing of each other. */
  cut(node: Node): void;
  heal(): void;
  /** etcd stands still, or goes on. */
  freezeEtcd(how: 'SIGSTOP' | 'SIGCONT'): void;
  /** Whether the server behind a port of haproxy takes writes. @throws while none is there */
  takesWrites(port: 'primary' | 'standby'): Promise<boolean>;
  /** The keys in etcd, the replication as the members see it, and the ends of their logs. */
  logs(): Promise<string>;
  stop(): Promise<void>;
}

/** All keys of the cluster in etcd, each with its revision. */
async function keysIn(etcdPort: number): Promise<string> {
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const decoded = (text = '') => Buffer.from(text, 'base64').toString();
  const reply = await fetch(`http://127.0.0.1:${etcdPort}/v3/kv/range`, {
    method: 'POST',
    body: JSON.stringify({ key: encoded('/'), range_end: encoded('0') }),
    signal: AbortSignal.timeout(askedWithinMs),
  });
  const { kvs = [] } = (await reply.json()) as { kvs?: Record<string, string>[] };
  return kvs
    .map(({ key, value, mod_revision }) => `${decoded(key)} @${mod_revision} ${decoded(value)}`)
    .join('\n');
}

/** The replication as a member's PostgreSQL sees it. */
async function replicationAt(node: Node): Promise<string> {
  const [row] = await node.ask(`select pg_is_in_recovery() as follows,
      current_setting('synchronous_standby_names') as names,
      (select json_agg(r) from (
        select application_name, state, sync_state, replay_lag from pg_stat_replication) r) as standbys,
      (select json_agg(w) from (select status, sender_port from pg_stat_wal_receiver) w) as receiver`);
  return `${node.name}: ${JSON.stringify(row)}`;
}

/** One etcd: what its loss does is shown by stopping it. */
async function startEtcd(parent: string, port: number) {
  const folder = await makeFolder(parent, 'etcd');
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  const at = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const among = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  const first = ['--data-dir', join(folder, 'data'), '--initial-cluster', `default=${peer}`];
  return startProgram('etcd', [...at, ...among, ...first], { folder });
}

async function startHaproxy(parent: string, nodes: readonly Node[]) {
  const folder = await makeFolder(parent, 'haproxy');
  const ports = { primary: await freePort(), standby: await freePort() };
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxyFile(nodes, ports), { mode: 0o644 });
  return { ports, child: startProgram('haproxy', ['-f', file], { folder }) };
}

async function makeDatabase(nodes: readonly Node[], password: string) {
  const hosts = nodes.map(({ postgresHost }) => postgresHost).join();
  const at = `${hosts}/${database}?target_session_attrs=read-write`;
  const url = asUrl(`postgresql://postgres:${password}@${at}`);
  await migrate(url);
  return { url, serviceUrl: await makeServiceLogin(url) };
}

/** @throws for one whose leader takes the lead back after it stood still, from who was promoted meanwhile */
async function patroniVersion(): Promise<string> {
  const { stdout } = await run(programAt('patroni') ?? '', ['--version']);
  const version = stdout.trim();
  if (Number.parseInt(version.replace('patroni ', ''), 10) < leastPatroni)
    throw new Error(`${version}: Patroni ${leastPatroni} is needed (docs/reliability.md)`);
  return version;
}

export async function openCluster(): Promise<Cluster> {
  const version = await patroniVersion();
  const parent = await temporaryDataDir();
  const secret = () => randomBytes(12).toString('hex');
  const passwords = { superuser: secret(), replicator: secret() };
  const etcdPort = await freePort();
  const etcd = await startEtcd(parent, etcdPort);
  const place = { parent, etcdPort, passwords };
  const first = await openNode('db1', place);
  const second = await openNode('db2', place);
  const nodes = [first, second] as const;
  const haproxy = await startHaproxy(parent, nodes);

  async function roles() {
    const at = (await nodes[0].is('primary')) ? 0 : 1;
    const [leader, standby] = [nodes[at], nodes[1 - at]];
    if (!leader || !standby || !(await leader.is('primary'))) throw new Error('nobody leads');
    return { leader, standby };
  }
  const isWhole = async () => {
    const { standby } = await roles();
    return standby.is('synchronous');
  };
  const wholeWithin = (withinMs: number) =>
    until(() => isWhole().catch(() => false), {
      what: 'a leader with a synchronous standby',
      withinMs,
      everyMs: 200,
    });
  const patronictl = (...words: readonly string[]) =>
    run(programAt('patronictl') ?? '', ['-c', join(first.folder, 'config.yml'), ...words], {
      env: { PATH: process.env.PATH ?? '', HOME: parent, LC_ALL: 'C.UTF-8' },
    });
  async function whole(): Promise<boolean> {
    if (await wholeWithin(backMs).catch(() => false)) return false;
    await patronictl('reinit', 'pay', (await roles()).standby.name, '--force');
    await wholeWithin(copiedMs);
    return true;
  }

  for (const node of nodes) node.start();
  await whole();
  await (await roles()).leader.ask(`create database ${database}`);
  const urls = await makeDatabase(nodes, passwords.superuser);
  const [server] = await first.ask('show server_version');
  return {
    ...urls,
    version: `${String(server?.server_version).split(' ', 1)[0]} with ${version}`,
    roles,
    whole,
    async switchover() {
      await patronictl('switchover', '--force');
    },
    cut(node) {
      node.cut();
      for (const other of nodes) if (other !== node) other.cutPeer();
    },
    heal() {
      for (const node of nodes) node.heal();
    },
    freezeEtcd: (how) => signal(etcd.pid ?? 0, how),
    async takesWrites(port) {
      const at = `127.0.0.1:${haproxy.ports[port]}/${database}`;
      const client = await openClient(`postgresql://postgres:${passwords.superuser}@${at}`, {
        statementTimeoutMs: 5_000,
      });
      const asked = client.query('select pg_is_in_recovery() as follows');
      return asked.then(({ rows }) => !rows[0]?.follows).finally(() => client.end());
    },
    async logs() {
      const said = async ({ folder }: Node) =>
        (await readFile(join(folder, 'patroni.log'), 'utf8')).slice(-shownOfLog);
      const all = [keysIn(etcdPort), ...nodes.map(replicationAt), ...nodes.map(said)];
      const told = await Promise.all(all.map((one) => one.catch((error: Error) => error.message)));
      return `${told.join('\n')}\n`;
    },
    async stop() {
      for (const node of nodes) await node.stop();
      for (const { pid = 0 } of [haproxy.child, etcd]) signal(pid, 'SIGKILL');
      await rm(parent, { recursive: true, force: true });
    },
  };
}
