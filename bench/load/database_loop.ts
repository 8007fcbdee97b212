import { fork } from 'node:child_process';
import pg from 'pg';
import { deferred } from './deferred.ts';
import { startWindow, type WindowEvents } from './window.ts';

/** A closed loop on PostgreSQL alone: each client begins again when its last work is done. */
export interface LoopPlan {
  readonly url: string;
  readonly clients: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** The work of the window, and its length. */
export interface LoopReport {
  readonly transactions: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

type LoopMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | ({ readonly kind: 'done' } & LoopReport)
  | { readonly kind: 'failed'; readonly reason: string };

const tell = (message: LoopMessage): void => {
  process.send?.(message);
};

async function openClients({ url, clients }: LoopPlan): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
}

/** In a process of its own: runs the plan that comes, and tells its parent what became of it. */
export function obeyLoop<Plan extends LoopPlan>(
  work: (client: pg.Client, plan: Plan) => Promise<unknown>,
): void {
  async function run(plan: Plan): Promise<void> {
    const opened = await openClients(plan);
    const end = performance.now() + (plan.warmUpSeconds + plan.seconds) * 1000;
    const window = startWindow(plan.warmUpSeconds, {
      onOpen: () => tell({ kind: 'opened' }),
      onClose: () => tell({ kind: 'closed' }),
    });
    await Promise.all(
      opened.map(async (client) => {
        while (performance.now() < end) {
          const sentAt = performance.now();
          await work(client, plan);
          window.answered(sentAt);
        }
        window.close();
      }),
    );
    await Promise.all(opened.map((client) => client.end()));
    const { answered, ...times } = window.report();
    tell({ kind: 'done', transactions: answered, ...times });
  }
  process.on('message', (plan: Plan) => {
    run(plan).catch((error: unknown) => tell({ kind: 'failed', reason: String(error) }));
  });
}

/** Runs a plan in the process of `module`. @param onStart called with its id before the window opens */
export async function runLoopProcess<Plan extends LoopPlan>(
  module: URL,
  plan: Plan,
  window: WindowEvents,
  onStart: (pid: number) => void,
): Promise<LoopReport> {
  const child = fork(module);
  const done = deferred<LoopReport>();
  child.on('exit', () => done.reject(new Error(`${module.pathname} ended`)));
  child.on('message', (message: LoopMessage) => {
    if (message.kind === 'opened') window.onOpen();
    else if (message.kind === 'closed') window.onClose();
    else if (message.kind === 'done') done.resolve(message);
    else done.reject(new Error(message.reason));
  });
  onStart(child.pid ?? 0);
  child.send(plan);
  return done.promise.finally(() => child.kill());
}
