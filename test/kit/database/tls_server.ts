import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverBinaries } from '../../../service/db/embedded_binaries.ts';
import { createHome } from '../../../service/db/embedded_home.ts';
import { asUser, serverUser } from '../../../service/db/embedded_place.ts';
import { readPostmasterFile, stopPostmaster } from '../../../service/db/embedded_process.ts';
import type { Certificate } from '../http/certificates.ts';
import { freePort } from '../processes/free_port.ts';
import { until } from '../wait.ts';
import { temporaryDataDir } from './database_server.ts';

/** An empty PostgreSQL that takes connections by TLS alone, as another machine's does. */
export interface TlsServer {
  /** On loopback. */
  readonly port: number;
  /** The password of the superuser `postgres`. */
  readonly password: string;
  stop(): Promise<void>;
}

/** @param certificate names `localhost` */
export async function startTlsServer({ cert, key }: Certificate): Promise<TlsServer> {
  const dataDir = await temporaryDataDir();
  const user = serverUser();
  const bin = await serverBinaries(user);
  const { folder } = await createHome(dataDir, user, bin, { isEmpty: true });
  const cluster = join(folder, 'cluster');
  const put = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (user.uid !== process.getuid?.()) await chown(path, user.uid, user.gid);
    return path;
  };
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: await put('server.crt', cert),
    ssl_key_file: await put('server.key', key),
    hba_file: await put('hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n'),
    fsync: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], {
    ...asUser(user, folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit');
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return (await readPostmasterFile(cluster))?.ready;
  });
  return {
    port,
    password: await readFile(join(folder, 'password'), 'utf8'),
    async stop() {
      await stopPostmaster(child.pid ?? 0);
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
