import { type Answer, firstRefusal, openConnection } from './connection.ts';
import { deferred } from './deferred.ts';
import { startWindow, type WindowEvents } from './window.ts';

/** A closed loop: so many clients, each sending its next request when it has its answer. */
export interface LoadPlan {
  readonly port: number;
  readonly clients: number;
  /** Whole requests, each sent once. The run ends when all are answered. */
  readonly requests: readonly string[];
  /** Answers of the first seconds count for the proof, not for the figure. */
  readonly warmUpSeconds: number;
  readonly wantsBodies: boolean;
}

export interface LoadReport {
  /** How often each status came, over the whole run. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly replayed: number;
  /** The first one that was refused; null when none was. */
  readonly refusal: string | null;
  /** Answers and seconds of the window, from the end of the warm-up to the last request sent. */
  readonly answered: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** By request, where bodies were wanted. */
  readonly bodies: readonly string[];
}

/** What all answers were, whoever got them. */
function openTally(requests: readonly string[], wantsBodies: boolean) {
  const statuses: Record<string, number> = {};
  const bodies: string[] = [];
  let replayed = 0;
  let refusal: string | null = null;
  let next = 0;
  let open = requests.length;
  return {
    take: () => (next < requests.length ? next++ : null),
    /** @returns whether it was the last */
    note(index: number, answer: Answer): boolean {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.replayed) replayed += 1;
      if (answer.status >= firstRefusal) refusal ??= answer.body;
      if (wantsBodies) bodies[index] = answer.body;
      open -= 1;
      return open === 0;
    },
    result: () => ({ statuses, replayed, refusal, bodies }),
  };
}

/** Runs a plan to its end. @throws when a connection breaks */
export async function drive(plan: LoadPlan, events: WindowEvents): Promise<LoadReport> {
  const { port, clients, requests, wantsBodies } = plan;
  const tally = openTally(requests, wantsBodies);
  const done = deferred<void>();
  // Each client's part in an answer; the connections are opened before the clock runs.
  const handlers: ((answer: Answer) => void)[] = [];
  const connections = await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      openConnection(port, {
        wantsBodies,
        onAnswer: (answer) => handlers[index]?.(answer),
        onFailure: done.reject,
      }),
    ),
  );
  const window = startWindow(plan.warmUpSeconds, events);
  const starts = connections.map((connection, client) => {
    let index = 0;
    let sentAt = 0;
    const fire = (): void => {
      const taken = tally.take();
      if (taken === null) {
        window.close();
        return;
      }
      index = taken;
      sentAt = performance.now();
      connection.send(requests[index] ?? '');
    };
    handlers[client] = (answer) => {
      window.answered(sentAt);
      if (tally.note(index, answer)) done.resolve();
      fire();
    };
    return fire;
  });
  for (const start of starts) start();
  await done.promise;
  for (const connection of connections) connection.close();
  return { ...tally.result(), ...window.report() };
}
