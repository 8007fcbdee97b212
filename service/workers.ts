import { openDueLoop } from './jobs/due.ts';
import { duties } from './jobs/duties.ts';
import type { Service } from './service.ts';

/** What runs beside requests: due rows, and the delivery of events. */
export interface Workers {
  /** Runs what is due for a tenant before it returns; also where no loop was started. */
  readonly runDueNow: (tenantId: string) => Promise<void>;
  start(): void;
  /** Takes up nothing new, and resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** Composes the workers. They sleep until `start`: the role `worker` of this process. */
export function buildWorkers(service: Service): Workers {
  const due = openDueLoop(service, duties);
  return {
    runDueNow: due.runDueNow,
    start: due.start,
    stop: due.stop,
  };
}
