import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deferred } from '../load/deferred.ts';
import type { SendMessage, SendOrder } from './deliver.ts';

/** Installed when it is measured: 69 packages that nothing else needs. The last one for Node 20. */
const jobPackage = 'graphile-worker@0.16.6';

/** Installs the reference's package into a folder of its own. @throws without a registry */
export function installJobs(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', jobPackage];
  execFileSync('npm', args, { cwd: folder, stdio: 'ignore' });
}

/** The senders of events without the service. */
const references = {
  raw: new URL('./raw_process.ts', import.meta.url),
  jobs: new URL('./jobs_process.ts', import.meta.url),
} as const;
export type ReferenceName = keyof typeof references;

/** Called just before the first event is sent, and once all are known to have arrived. */
interface Moments {
  readonly begin: (pid: number) => void;
  readonly end: () => void;
}

/** Has a process send the events. @throws what it failed with */
export async function runReference(
  name: ReferenceName,
  order: SendOrder,
  { begin, end }: Moments,
): Promise<void> {
  const child = fork(references[name]);
  const done = deferred<void>();
  child.on('exit', () => done.reject(new Error(`the process of ${name} ended`)));
  child.on('message', (message: SendMessage) => {
    if (message === 'begun') return begin(child.pid ?? 0);
    if (message !== 'done') return done.reject(new Error(`${name} failed: ${message.failed}`));
    end();
    done.resolve();
  });
  child.send(order);
  await done.promise.finally(() => child.kill());
}
