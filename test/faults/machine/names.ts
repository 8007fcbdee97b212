import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLine } from '../../kit/processes/built.ts';
import { openSilentProxy } from '../database/silent_proxy.ts';
import { type Host, type Outcome, openStage } from './stage.ts';

/** The name of the database is no longer known: its name server is gone. */

const name = 'db.pay.test';
const goneMs = 10_000;
const backWithinMs = 15_000;

/** Files that a process of its own mounts sees as the machine's; nobody answers at that name server. */
async function openNames() {
  const folder = await mkdtemp(join(tmpdir(), 'tpay-names-'));
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  const own = '127.0.0.1 localhost\n';
  const know = () => writeFile(hosts, `${own}127.0.0.1 ${name}\n`);
  await know();
  await writeFile(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const mounts = `mount --bind ${hosts} /etc/hosts && mount --bind ${resolver} /etc/resolv.conf`;
  return {
    /** The service where the files are. */
    command: ['unshare', '-m', 'sh', '-c', `${mounts} && ${startLine[2]}`] as const,
    know,
    forget: () => writeFile(hosts, own),
    remove: () => rm(folder, { recursive: true }),
  };
}

export async function proveNamesGone({ postgres, seed }: Host): Promise<Outcome> {
  const names = await openNames();
  const proxy = await openSilentProxy(postgres.serviceUrl);
  const url = new URL(proxy.url);
  url.hostname = name;
  const host = { postgres, seed, serviceUrl: url.href };
  const stage = await openStage(host, 'api,worker', { how: { command: names.command } });
  const { load } = stage;
  const violations: string[] = [];

  const before = { ...load.counts };
  await names.forget();
  // Connections that are open go on, as long as no other one is wanted.
  await sleep(goneMs);
  const ackedWhileGone = load.counts.acked - before.acked;
  // Now each connection must be made anew.
  proxy.cutAll();
  await sleep(goneMs);
  const backMs = performance.now();
  await names.know();
  const recoveryMs = Math.round((await load.acked(backMs)) - backMs);
  if (recoveryMs > backWithinMs) violations.push(`no write for ${recoveryMs} ms`);
  if (!stage.process.log().includes('database_unreachable'))
    violations.push('the log does not say why the database is away');
  const outcome = await stage.end();
  await proxy.close();
  await names.remove();
  return {
    violations: [...violations, ...outcome.violations],
    figures: { ...outcome.figures, ackedWhileGone, recoveryMs },
  };
}
