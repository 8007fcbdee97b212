import { type Advance, openAdvance } from './jobs/advance.ts';
import { type DueLoop, openDueLoop } from './jobs/due.ts';
import { type Duties, duties, duty } from './jobs/duties.ts';
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

/** All that can fall due; what is handed to the outside needs to know it. */
const dutiesOf = ({ db, vault }: Service, { bank }: Rails): Duties => ({
  ...duties,
  instruction: duty(instructionDuty({ db, vault, bank })),
});

/** Composes the workers. They sleep until `start`, except for what a request asks of them. */
export function buildWorkers(service: Service, rails: Rails): Workers {
  const due = openDueLoop(service, dutiesOf(service, rails));
  const dispatcher = openDispatcher(service);
  const advance = openAdvance(service, { due, dispatcher });
  return {
    due,
    dispatcher,
    advance,
    start() {
      due.start();
      dispatcher.start();
      advance.start();
    },
    async stop() {
      await advance.stop();
      await due.stop();
      await dispatcher.drain();
    },
  };
}
