import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../service/config/secrets.ts';
import { startEmbedded } from '../service/db/embedded.ts';
import { loadService } from './load_service.ts';
import { reasonOf } from './reason.ts';
import type { Open } from './serve.ts';

/** Time limits for open requests and for the whole stop: less than supervisors usually wait. */
const drainMs = 10_000;
const stopWithinMs = 25_000;

/** Resolves once PostgreSQL is starting, or could not be started: `open.embedded` says which. */
function beginEmbedded(open: Open, dataDir: string): Promise<void> {
  return new Promise((resolve) => {
    const log = (line: string) => open.warn?.(line);
    open.embedded = startEmbedded({ dataDir, restarts: true, log, onWait: resolve });
    open.embedded.then(
      () => resolve(),
      () => resolve(),
    );
  });
}

/**
 * Starts everything. Loading the service leaves the event loop no turn: an embedded server is spawned before it,
 * and starts meanwhile.
 * @throws the reason, as one line for the operator
 */
async function start(open: Open): Promise<void> {
  const config = await loadConfig(process.env);
  if (config.databaseUrl === null) await beginEmbedded(open, config.dataDir);
  const { serve } = await loadService();
  await serve(open, config);
}

/**
 * Lets work in progress end, then closes everything in the order of its dependencies. Workers stop
 * while requests are still answered: a request may wait for a clock advance, which ends with its
 * step.
 */
async function stop({ listener, metrics, running, embedded, shop }: Open): Promise<void> {
  shop?.close();
  await Promise.all([listener?.close(drainMs), running?.rest()]);
  await running?.stop();
  await metrics?.close();
  const server = await embedded;
  await server?.stop();
}

/** @throws when the stop takes too long; the process then exits by itself */
async function stopInTime(open: Open): Promise<void> {
  const late = async () => {
    await sleep(stopWithinMs, undefined, { ref: false });
    throw new Error(`The stop took longer than ${stopWithinMs / 1_000} s and was cut short.`);
  };
  await Promise.race([stop(open), late()]);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
const stopRequested = new Promise<void>((resolve) => {
  let isRequested = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isRequested) process.exit(1);
      isRequested = true;
      resolve();
    });
});

async function main(): Promise<void> {
  const open: Open = {};
  try {
    await start(open);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    await stop(open).catch(() => {});
    process.exit(1);
  }
  await stopRequested;
  try {
    await stopInTime(open);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

void main();
