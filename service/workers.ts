import { type Advance, openAdvance } from './jobs/advance.ts';
import { type DueLoop, openDueLoop } from './jobs/due.ts';
import { type Duties, duties, duty } from './jobs/duties.ts';
import { openSweep } from './jobs/sweep.ts';
import { customerCheckDuty, linkCheckDuty, ownerCheckDuty } from './rails/checks.ts';
import { instructionDuty } from './rails/instructions.ts';
import type { Rails } from './rails/rails.ts';
import type { Service } from './service.ts';
import { type Dispatcher, openDispatcher } from './webhooks/deliver.ts';

/** What runs beside requests: due rows, and the delivery of events. */
export interface Workers {
  readonly due: DueLoop;
  readonly dispatcher: Dispatcher;
  readonly advance: Advance;
  /** Begins to look for work: the role `worker` of this process. */
  start(): void;
  /** Takes up nothing new, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** All that can fall due; what is asked of the outside needs to know it. */
function dutiesOf({ db, vault }: Service, { identity, aggregator, bank, ...more }: Rails): Duties {
  const asking = { db, vault, identity, aggregator };
  return {
    ...duties,
    instruction: duty(instructionDuty({ db, vault, bank })),
    customer_check: duty(customerCheckDuty(asking)),
    owner_check: duty(ownerCheckDuty(asking)),
    link_check: duty(linkCheckDuty(asking)),
    ...more.duties,
  };
}

/** Composes the workers. They sleep until `start`, except for what a request asks of them. */
export function buildWorkers(service: Service, rails: Rails): Workers {
  const due = openDueLoop(service, dutiesOf(service, rails));
  const dispatcher = openDispatcher(service);
  const advance = openAdvance(service, { due, dispatcher });
  const sweep = openSweep(service);
  return {
    due,
    dispatcher,
    advance,
    start() {
      due.start();
      dispatcher.start();
      advance.start();
      sweep.start();
    },
    async stop() {
      // An advance runs both, so it goes first.
      await advance.stop();
      await Promise.all([due.stop(), dispatcher.drain(), sweep.stop()]);
    },
  };
}
