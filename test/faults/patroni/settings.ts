import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { snippetsOf } from '../../kit/guides/snippets.ts';

/** The files of the guide as the proof uses them: other addresses and folders, and all on one machine. */

const page = fileURLToPath(new URL('../../../docs/guide/operating/failover.md', import.meta.url));

/** A file that the page shows, by the path in its first line. */
function fileOfPage(path: string): string {
  const found = snippetsOf(readFileSync(page, 'utf8')).find(({ text }) =>
    text.startsWith(`# ${path}\n`),
  );
  if (!found) throw new Error(`the page of failovers shows no ${path}`);
  return found.text;
}

/** A member of the cluster, and its addresses. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  /** The ports where its PostgreSQL and its Patroni listen. */
  readonly postgresPort: number;
  readonly restPort: number;
  /** The ports where the other member reaches them. */
  readonly postgresPeer: string;
  readonly restPeer: string;
  /** The hosts where the service and haproxy reach them. */
  readonly postgresHost: string;
  readonly restHost: string;
  /** The host where it reaches etcd. */
  readonly etcdHost: string;
}

export interface Passwords {
  readonly superuser: string;
  readonly replicator: string;
}

/** `patroni.yml` of a member. */
export function patroniFile(member: Member, { superuser, replicator }: Passwords): string {
  const file = parse(fileOfPage('/etc/patroni/config.yml'));
  const { postgresql, bootstrap } = file;
  return stringify({
    ...file,
    name: member.name,
    restapi: { listen: `127.0.0.1:${member.restPort}`, connect_address: member.restPeer },
    // One etcd, by a way of this member's own.
    etcd3: { hosts: [member.etcdHost], use_proxies: true },
    bootstrap,
    postgresql: {
      ...postgresql,
      listen: `127.0.0.1:${member.postgresPort}`,
      connect_address: member.postgresPeer,
      data_dir: join(member.folder, 'data'),
      pgpass: join(member.folder, 'pgpass'),
      // Without TLS, and with little memory.
      parameters: {
        unix_socket_directories: member.folder,
        shared_buffers: '64MB',
        max_connections: 100,
      },
      pg_hba: postgresql.pg_hba.map((line: string) =>
        line.replace(/^hostssl/, 'host').replace('10.0.0.0/24', '127.0.0.1/32'),
      ),
      authentication: {
        replication: { ...postgresql.authentication.replication, password: replicator },
        superuser: { ...postgresql.authentication.superuser, password: superuser },
      },
    },
    // A machine that runs proofs has no device that restarts it.
    watchdog: { mode: 'off' },
  });
}

/** `haproxy.cfg` for two members. */
export function haproxyFile(
  members: readonly Member[],
  ports: Readonly<Record<'primary' | 'standby', number>>,
): string {
  let text = fileOfPage('/etc/haproxy/haproxy.cfg')
    .replace('bind :5000', `bind 127.0.0.1:${ports.primary}`)
    .replace('bind :5001', `bind 127.0.0.1:${ports.standby}`);
  for (const { name, postgresHost, restHost } of members)
    text = text.replaceAll(
      `server ${name} ${name}:5432 check port 8008`,
      `server ${name} ${postgresHost} check port ${restHost.split(':')[1]}`,
    );
  return text;
}

export const bin = parse(fileOfPage('/etc/patroni/config.yml')).postgresql.bin_dir as string;

const programs = ['patroni', 'patronictl', 'etcd', 'haproxy'] as const;
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** The path of a program; null: it is not installed. */
export const programAt = (name: string): string | null =>
  folders.map((folder) => join(folder, name)).find(existsSync) ?? null;

/** The programs that the proof needs and this machine has not. */
export const missing = (): string[] => [
  ...programs.filter((name) => programAt(name) === null),
  ...(existsSync(join(bin, 'postgres')) ? [] : [join(bin, 'postgres')]),
];
