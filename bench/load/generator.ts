import { fork } from 'node:child_process';
import { deferred } from './deferred.ts';
import type { LoadPlan, LoadReport } from './drive.ts';
import type { GeneratorMessage } from './generator_process.ts';
import type { PacePlan, PaceReport } from './pace.ts';
import type { WindowEvents } from './window.ts';

/** The load generator, in a separate process. */
export interface Generator {
  readonly pid: number;
  /** One plan at a time. @throws when a connection breaks or the generator ends */
  readonly run: (plan: LoadPlan, events: WindowEvents) => Promise<LoadReport>;
  /** The same for an open loop. */
  readonly pace: (plan: PacePlan) => Promise<PaceReport>;
  readonly stop: () => void;
}

const unheard: WindowEvents = { onOpen: () => {}, onClose: () => {} };

export function startGenerator(): Generator {
  const child = fork(new URL('./generator_process.ts', import.meta.url));
  function ask<Report>(plan: LoadPlan | PacePlan, events: WindowEvents): Promise<Report> {
    const { promise, resolve, reject } = deferred<Report>();
    const onExit = () => reject(new Error('the load generator ended'));
    const onMessage = (message: GeneratorMessage): void => {
      if (message.kind === 'opened') events.onOpen();
      else if (message.kind === 'closed') events.onClose();
      else if (message.kind === 'done') resolve(message.report as Report);
      else reject(new Error(`the load generator failed: ${message.reason}`));
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.send(plan);
    return promise.finally(() => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    });
  }
  return {
    pid: child.pid ?? 0,
    run: (plan, events) => ask<LoadReport>(plan, events),
    pace: (plan) => ask<PaceReport>(plan, unheard),
    stop: () => void child.kill(),
  };
}
