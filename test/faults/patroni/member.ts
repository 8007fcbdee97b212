import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClient } from '../../../engine/database/pool.ts';
import { serverUser } from '../../../service/db/embedded_place.ts';
import { freePort } from '../../kit/processes/free_port.ts';
import { killAll } from '../database/postgres.ts';
import { openSilentProxy, type SilentProxy } from '../database/silent_proxy.ts';
import { freezeMember, killMember, postmasterOf, signal, startProgram } from './programs.ts';
import { type Member, type Passwords, patroniFile } from './settings.ts';

/** A member of the cluster: Patroni with its PostgreSQL, behind ports whose network can be cut. */
export interface Node extends Member {
  start(): void;
  /** kill -9 of both, and of all backends. */
  kill(): Promise<void>;
  /** kill -9 of PostgreSQL alone. */
  killPostgres(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Nobody reaches it, and it does not reach etcd. */
  cut(): void;
  /** The other member does not reach it. */
  cutPeer(): void;
  heal(): void;
  /** Asks its PostgreSQL past every fault. @throws while it does not answer */
  ask(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** The state that Patroni and etcd have: a standby becomes synchronous seconds after PostgreSQL says so. */
  is(role: 'primary' | 'synchronous'): Promise<boolean>;
  stop(): Promise<void>;
}

export async function makeFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  const { uid, gid } = serverUser();
  await chown(folder, uid, gid);
  return folder;
}

const hostOf = ({ url }: SilentProxy) => new URL(url).host;

interface Place {
  readonly parent: string;
  readonly etcdPort: number;
  readonly passwords: Passwords;
}

export async function openNode(
  name: string,
  { parent, etcdPort, passwords }: Place,
): Promise<Node> {
  const folder = await makeFolder(parent, name);
  const [postgresPort, restPort] = [await freePort(), await freePort()];
  const to = (port: number) => openSilentProxy(`tcp://127.0.0.1:${port}`);
  const peers = [await to(postgresPort), await to(restPort)] as const;
  const others = [await to(postgresPort), await to(restPort), await to(etcdPort)] as const;
  const proxies = [...peers, ...others];
  const [postgresPeer, restPeer] = [hostOf(peers[0]), hostOf(peers[1])];
  const [postgresHost, restHost, etcdHost] = others.map(hostOf) as [string, string, string];
  const member: Member = {
    name,
    folder,
    postgresPort,
    restPort,
    postgresPeer,
    restPeer,
    postgresHost,
    restHost,
    etcdHost,
  };
  const file = join(folder, 'config.yml');
  await writeFile(file, patroniFile(member, passwords), { mode: 0o644 });
  let patroni: ChildProcess | undefined;
  const running = (): ChildProcess => {
    if (!patroni) throw new Error(`${name} was not started`);
    return patroni;
  };
  return {
    ...member,
    start() {
      patroni = startProgram('patroni', [file], { folder });
    },
    kill: () => killMember(running(), folder),
    async killPostgres() {
      const postmaster = postmasterOf(folder);
      if (postmaster !== null) await killAll(postmaster);
    },
    freeze: () => freezeMember(running(), folder, 'SIGSTOP'),
    thaw: () => freezeMember(running(), folder, 'SIGCONT'),
    cut() {
      for (const proxy of proxies) proxy.silence();
    },
    cutPeer() {
      for (const proxy of peers) proxy.silence();
    },
    heal() {
      for (const proxy of proxies) proxy.heal();
    },
    async ask(text, database = 'postgres') {
      const at = `127.0.0.1:${postgresPort}/${database}`;
      const url = `postgresql://postgres:${passwords.superuser}@${at}`;
      const client = await openClient(url, { statementTimeoutMs: 10_000 });
      return client.query(text).then(
        ({ rows }) => client.end().then(() => rows),
        (error) => client.end().then(() => Promise.reject(error)),
      );
    },
    async is(role) {
      const limit = { signal: AbortSignal.timeout(1_000) };
      const reply = await fetch(`http://127.0.0.1:${restPort}/${role}`, limit).catch(() => null);
      await reply?.body?.cancel();
      return reply?.status === 200;
    },
    async stop() {
      if (patroni) {
        signal(patroni.pid ?? 0, 'SIGCONT');
        await killMember(patroni, folder);
      }
      for (const proxy of proxies) await proxy.close();
    },
  };
}
