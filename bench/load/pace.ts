import { type Answer, type Connection, firstRefusal, openConnection } from './connection.ts';
import { deferred } from './deferred.ts';

/** An open loop: requests are sent at their time, whether or not those before are answered. */
export interface PacePlan {
  readonly port: number;
  /** Whole requests, each sent once at most. */
  readonly requests: readonly string[];
  readonly perSecond: number;
  /** A request that finds all of them waiting for a reply is not sent. */
  readonly connections: number;
}

export interface PaceReport {
  /** Number of replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly unsent: number;
  /** Replies below 400 by the second of their arrival, from the first request on. */
  readonly goodInSecond: readonly number[];
  /** The highest time from a request to its reply, refusals included. */
  readonly longestMs: number;
}

const tickMs = 5;
const openedAtOnce = 100;

function openTally() {
  const begun = performance.now();
  const statuses: Record<string, number> = {};
  const goodInSecond: number[] = [];
  let longestMs = 0;
  return {
    begun,
    note({ status }: Answer, sentAt: number): void {
      const now = performance.now();
      statuses[status] = (statuses[status] ?? 0) + 1;
      longestMs = Math.max(longestMs, now - sentAt);
      if (status >= firstRefusal) return;
      const second = Math.floor((now - begun) / 1_000);
      goodInSecond[second] = (goodInSecond[second] ?? 0) + 1;
    },
    result: () => ({
      statuses,
      goodInSecond: Array.from(goodInSecond, (count) => count ?? 0),
      longestMs,
    }),
  };
}

interface Line {
  readonly connection: Connection;
  /** Hears the reply to the request under way. */
  hear: (answer: Answer) => void;
}

/** Opens the connections, a group at a time. */
async function openLines({ port, connections }: PacePlan, onFailure: (error: Error) => void) {
  const lines: Line[] = [];
  async function openLine(): Promise<void> {
    const onAnswer = (answer: Answer) => line.hear(answer);
    const connection = await openConnection(port, { wantsBodies: false, onAnswer, onFailure });
    const line: Line = { connection, hear: () => {} };
    lines.push(line);
  }
  while (lines.length < connections) {
    const count = Math.min(openedAtOnce, connections - lines.length);
    await Promise.all(Array.from({ length: count }, openLine));
  }
  return lines;
}

/** Runs a plan until every request that was sent is answered. @throws when a connection breaks */
export async function pace(plan: PacePlan): Promise<PaceReport> {
  const { requests, perSecond } = plan;
  const done = deferred<void>();
  const lines = await openLines(plan, done.reject);
  const free = [...lines];
  const tally = openTally();
  let offered = 0;
  let unsent = 0;
  function offer(text: string): void {
    offered += 1;
    // In turn: the service closes a connection that rests for long.
    const line = free.shift();
    if (!line) {
      unsent += 1;
      return;
    }
    const sentAt = performance.now();
    line.hear = (answer) => {
      tally.note(answer, sentAt);
      free.push(line);
      if (offered === requests.length && free.length === lines.length) done.resolve();
    };
    line.connection.send(text);
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - tally.begun) / 1_000) * perSecond);
    while (offered < Math.min(due, requests.length)) offer(requests[offered] ?? '');
  }, tickMs);
  try {
    await done.promise;
  } finally {
    clearInterval(timer);
    for (const { connection } of lines) connection.close();
  }
  return { ...tally.result(), unsent };
}
