import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantFacts } from '../../../backoffice/tenants/create.ts';
import { buildIfStale } from './built.ts';
import { spawnService, terminate, untilReady } from './processes.ts';

/** A fresh sandbox in a process of its own, with its own PostgreSQL and folder. */
export interface SandboxProcess {
  /** The facts of the sample tenant: what the service writes to `DATA_DIR/sandbox.json`. */
  readonly facts: TenantFacts;
  readonly startedInMs: number;
  /** Ends the process with SIGTERM and removes its folder. @returns the exit code */
  stop(): Promise<number | string>;
}

/** @param signal ends it while it starts */
export async function startSandbox(signal?: AbortSignal): Promise<SandboxProcess> {
  await buildIfStale('programs', 'web');
  const startedAt = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), 'tenant-payments-sandbox-'));
  // Started by root the database runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711);
  const service = await spawnService({ DATA_DIR: dataDir });
  const stop = async () => {
    const { exitCode, signalCode } = service.child;
    const code = exitCode ?? signalCode ?? (await terminate(service));
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    return code;
  };
  const abort = () => void service.child.kill('SIGTERM');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await untilReady(service);
    const facts = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
    return { facts, startedInMs: performance.now() - startedAt, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
