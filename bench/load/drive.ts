import { type Answer, type Connection, firstRefusal, openConnection } from './connection.ts';
import { deferred } from './deferred.ts';
import { paymentIdIn, withId } from './follow_up.ts';
import { startWindow, type WindowEvents } from './window.ts';

/** A closed loop: each client sends its next request when it has the reply to the one before. */
export interface LoadPlan {
  /** The clients are spread evenly over these ports. */
  readonly ports: readonly number[];
  readonly clients: number;
  /** Whole requests, each sent once. The run ends when all are answered. */
  readonly requests: readonly string[];
  /**
   * A second request for each, with `idPlace` in place of the id from the first reply; both are one
   * operation. After a refusal it is not sent.
   */
  readonly followUps?: readonly string[];
  /** Operations of the first seconds are checked but not counted. */
  readonly warmUpSeconds: number;
  readonly wantsBodies: boolean;
}

export interface LoadReport {
  /** Number of replies by status, over the whole run. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly replayed: number;
  /** The first refusal; null when there was none. */
  readonly refusal: string | null;
  /** Operations and seconds of the window, from the end of the warm-up to the last request sent. */
  readonly answered: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bodies by request, where the plan wants them. */
  readonly bodies: readonly string[];
  /** Ids by request, where a second request followed. */
  readonly ids: readonly string[];
}

/** Counts the replies of all clients. */
function openTally({ requests, followUps, wantsBodies }: LoadPlan) {
  const statuses: Record<string, number> = {};
  const bodies: string[] = [];
  const ids: string[] = [];
  let replayed = 0;
  let refusal: string | null = null;
  let next = 0;
  let open = requests.length;
  return {
    take: () => (next < requests.length ? next++ : null),
    note(index: number, answer: Answer): void {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.replayed) replayed += 1;
      if (answer.status >= firstRefusal) refusal ??= answer.body;
      if (wantsBodies) bodies[index] = answer.body;
    },
    /** The request that follows this reply; null for none. @throws when the reply has no id */
    following(index: number, { status, body }: Answer): string | null {
      const text = followUps?.[index];
      if (text === undefined || status >= firstRefusal) return null;
      const id = paymentIdIn(body);
      ids[index] = id;
      return withId(text, id);
    },
    /** @returns whether it was the last operation */
    end(): boolean {
      open -= 1;
      return open === 0;
    },
    result: () => ({ statuses, replayed, refusal, bodies, ids }),
  };
}

/** Opens connections to all ports in turn; an unusable reply fails the run. */
function openConnections(
  { ports, clients, followUps, wantsBodies }: LoadPlan,
  onAnswer: (client: number, answer: Answer) => void,
  onFailure: (error: unknown) => void,
): Promise<Connection[]> {
  return Promise.all(
    Array.from({ length: clients }, (_, client) =>
      openConnection(ports[client % ports.length] ?? 0, {
        wantsBodies: wantsBodies || followUps !== undefined,
        onAnswer: (answer) => {
          try {
            onAnswer(client, answer);
          } catch (error) {
            onFailure(error);
          }
        },
        onFailure,
      }),
    ),
  );
}

/** Runs a plan to its end. @throws when a connection breaks, or a reply lacks the wanted id */
export async function drive(plan: LoadPlan, events: WindowEvents): Promise<LoadReport> {
  const { requests } = plan;
  const tally = openTally(plan);
  const done = deferred<void>();
  // The connections are opened before the clock runs.
  const handlers: ((answer: Answer) => void)[] = [];
  const hear = (client: number, answer: Answer) => handlers[client]?.(answer);
  const connections = await openConnections(plan, hear, done.reject);
  const window = startWindow(plan.warmUpSeconds, events);
  const starts = connections.map((connection, client) => {
    let index = 0;
    let sentAt = 0;
    let isFirst = true;
    const fire = (): void => {
      const taken = tally.take();
      if (taken === null) {
        window.close();
        return;
      }
      index = taken;
      isFirst = true;
      sentAt = performance.now();
      connection.send(requests[index] ?? '');
    };
    handlers[client] = (answer) => {
      tally.note(index, answer);
      const second = isFirst ? tally.following(index, answer) : null;
      isFirst = false;
      if (second !== null) {
        connection.send(second);
        return;
      }
      window.answered(sentAt);
      if (tally.end()) done.resolve();
      fire();
    };
    return fire;
  });
  for (const start of starts) start();
  try {
    await done.promise;
  } finally {
    for (const connection of connections) connection.close();
  }
  return { ...tally.result(), ...window.report() };
}
