import { setTimeout as sleep } from 'node:timers/promises';
import { adapterSettings } from '../adapters/settings.ts';
import { onStopSignal } from '../cli/stop_signals.ts';
import { loadConfig } from '../service/config/secrets.ts';
import { startEmbedded } from '../service/db/embedded.ts';
import { stderrSink } from '../service/operations/log_sink.ts';
import { loadService } from './load_service.ts';
import { reasonOf } from './reason.ts';
import type { Open } from './serve.ts';

/** Time limits for open requests and for the whole stop: less than supervisors usually wait. */
const drainMs = 10_000;
const stopWithinMs = 25_000;
const lookForNpmEveryMs = 500;
/** DRAIN_DELAY_SECONDS, once the settings are read. */
let drainDelayMs = 0;
/** The time that the last lines of the log have to be written. */
const flushWithinMs = 500;

/**
 * Resolves once PostgreSQL is starting; `open.embedded` is the server.
 * @throws the reason why it cannot begin, such as another process on its folder
 */
function beginEmbedded(open: Open, dataDir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const log = (line: string) => open.warn?.(line);
    open.embedded = startEmbedded({ dataDir, restarts: true, log, onWait: resolve });
    open.embedded.then(() => resolve(), reject);
  });
}

/**
 * Starts everything. Loading the service leaves the event loop no turn: an embedded server is spawned before it,
 * and starts meanwhile.
 * @throws the reason, as one line for the operator
 */
async function start(open: Open): Promise<void> {
  const config = await loadConfig(process.env, adapterSettings);
  drainDelayMs = config.drainDelaySeconds * 1_000;
  if (config.databaseUrl === null) await beginEmbedded(open, config.dataDir);
  const { serve } = await loadService();
  await serve(open, config);
}

/** A balancer needs some seconds to see that `/readyz` is 503; until then it may send requests (rules/operations#8). */
async function leave({ listener, running }: Open): Promise<void> {
  running?.leave();
  listener?.leave();
  await sleep(drainDelayMs);
}

/**
 * Lets work in progress end, then closes everything in the order of its dependencies. Workers stop
 * while requests are still answered: a request may wait for a clock advance, which ends with its
 * step.
 */
async function stop({ listener, metrics, tracing, running, embedded, shop }: Open): Promise<void> {
  shop?.close();
  await Promise.all([listener?.close(drainMs), running?.rest()]);
  await running?.stop();
  await tracing?.close();
  await metrics?.close();
  const server = await embedded;
  await server?.stop();
}

/** npm passes no SIGHUP on, and no SIGKILL: a service that it has started sees that npm is gone. */
function onNpmGone(stop: () => void): void {
  if (process.env.npm_package_name !== 'tenant-payments') return;
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || stop(), lookForNpmEveryMs).unref();
}

/** A line for the operator, also where standard error takes none. */
const say = (line: string) => stderrSink().write(`${line}\n`);

const stopLimitMs = () => drainDelayMs + stopWithinMs;
const sayLate = () =>
  say(`The stop took longer than ${stopLimitMs() / 1_000} s and was cut short.`);

/** Resolves when this process is asked to end. */
const stopRequested = new Promise<void>((resolve) => {
  const limits = { withinMs: stopLimitMs, exitCode: 1, onLate: sayLate };
  onNpmGone(onStopSignal(() => resolve(), limits));
});

async function end(code: number): Promise<never> {
  await stderrSink().flush(flushWithinMs);
  process.exit(code);
}

async function main(): Promise<void> {
  const open: Open = {};
  try {
    await start(open);
  } catch (error) {
    say(reasonOf(error));
    await stop(open).catch(() => {});
    return end(1);
  }
  await stopRequested;
  try {
    await leave(open);
    await stop(open);
  } catch (error) {
    say(reasonOf(error));
    return end(1);
  }
  await end(0);
}

void main();
