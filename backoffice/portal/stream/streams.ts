import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Logger } from 'pino';
import {
  maximumStreams,
  maximumStreamsOfCaller,
  type StreamType,
} from '../../contract/traffic/stream.ts';
import { type Client, openClient, type Resume, type Show } from './client.ts';
import type { Feed, Micros } from './feed.ts';

export interface StreamTimes {
  readonly pollMs: number;
  readonly beatMs: number;
  /** How often it is asked whether the caller may still read. */
  readonly askMs: number;
  /** A reader that takes nothing for so long is cut. */
  readonly stallMs: number;
}

const usual: StreamTimes = { pollMs: 500, beatMs: 15_000, askMs: 5_000, stallMs: 30_000 };
/** Bytes that wait for a reader, about: where more do, it reads by itself, at its own pace. */
const maximumWaiting = 65_536;

/** The reader and its rows. */
export interface Reader {
  readonly tenantId: string;
  /** A person with all keys of theirs, or a program. */
  readonly caller: string;
  readonly types: ReadonlySet<StreamType>;
  /** The row behind which the stream goes on; null: it reads new rows alone. */
  readonly resume: Resume | null;
  /** Whether the caller may still read. */
  readonly isAllowed: () => Promise<boolean>;
  /** The view of a row for the caller. */
  readonly show: Show;
}

/** The readers of one Tenant: those that have caught up share one reading. */
interface Hub {
  readonly live: Set<Client>;
  readonly all: Map<Client, Reader['caller']>;
  from: Micros;
  /** One loop reads for all; it ends some time after the last has left. */
  isRunning: boolean;
}

const tooMany = (maximum: number, whose: string) =>
  fail('invalid_state', {
    details: { reason: 'too_many_streams', maximum },
    message: `at most ${maximum} feeds ${whose} are open at a time`,
  });

/** @throws ApiError invalid_state: no room for one more of this caller, or of the Tenant */
function assertRoom({ all }: Hub, caller: string): void {
  const own = [...all.values()].filter((one) => one === caller).length;
  if (own >= maximumStreamsOfCaller) throw tooMany(maximumStreamsOfCaller, 'of one caller');
  if (all.size >= maximumStreams) throw tooMany(maximumStreams, 'of a Tenant');
}

/** The live feeds of this process (rules/operations#60). @param isReady false: it is draining */
export function openStreams(
  feed: Feed,
  log: Logger,
  isReady: () => boolean,
  times: Partial<StreamTimes> = {},
) {
  const { pollMs, beatMs, askMs, stallMs } = { ...usual, ...times };
  const hubs = new Map<string, Hub>();

  function leave(tenantId: string, hub: Hub, client: Client): void {
    hub.live.delete(client);
    hub.all.delete(client);
    if (hub.all.size === 0) hubs.delete(tenantId);
  }

  function endAll(hub: Hub): void {
    for (const client of hub.all.keys()) client.end();
  }

  /** @returns whether there may be more at once */
  async function turn(tenantId: string, hub: Hub): Promise<boolean> {
    const until = await feed.settledUntil();
    const types = new Set([...hub.live].flatMap((client) => [...client.types]));
    const { from } = hub;
    const { rows, next } = await feed.page(tenantId, types, from, until);
    // One that has caught up meanwhile had other types, and reads this again by itself.
    const behind = new Set(
      [...hub.live].filter((client) => [...client.types].some((type) => !types.has(type))),
    );
    for (const row of rows)
      for (const client of hub.live) {
        if (behind.has(client) || !client.types.has(row.type)) continue;
        if (client.waiting() > maximumWaiting) behind.add(client);
        else client.send(row);
      }
    hub.from = Math.max(from, next);
    for (const client of behind) {
      hub.live.delete(client);
      join(tenantId, hub, client, from);
    }
    return next < until;
  }

  async function run(tenantId: string, hub: Hub): Promise<void> {
    hub.isRunning = true;
    while (hub.all.size > 0) {
      if (!isReady()) endAll(hub);
      const isMore = await turn(tenantId, hub).catch((error: unknown) => {
        log.warn({ fault: faultFacts(error) }, 'the live feed cannot read; it tries again');
        return false;
      });
      if (!isMore) await sleep(pollMs, undefined, { ref: false });
    }
    hub.isRunning = false;
  }

  /** Waits until its reader has taken what it has; a reader that takes nothing is cut. */
  async function room(client: Client): Promise<void> {
    let waiting = client.waiting();
    let since = performance.now();
    while (client.isOpen() && client.waiting() > maximumWaiting) {
      await sleep(pollMs / 10, undefined, { ref: false });
      if (client.waiting() < waiting) since = performance.now();
      waiting = client.waiting();
      if (performance.now() - since > stallMs) client.cut();
    }
  }

  /** Reads what a client has missed, and lets it share the reading from there on. */
  async function catchUp(tenantId: string, hub: Hub, client: Client, from: Micros) {
    let micros = from;
    while (client.isOpen() && micros < hub.from) {
      const { rows, next } = await feed.page(tenantId, client.types, micros, hub.from);
      for (const row of rows) {
        await room(client);
        client.send(row);
      }
      micros = next;
    }
    if (client.isOpen()) hub.live.add(client);
  }

  function join(tenantId: string, hub: Hub, client: Client, from: Micros): void {
    catchUp(tenantId, hub, client, from).catch((error: unknown) => {
      log.warn({ fault: faultFacts(error) }, 'a live feed cannot catch up; its client comes again');
      client.end();
    });
  }

  async function hubOf(tenantId: string): Promise<Hub> {
    const known = hubs.get(tenantId);
    if (known) return known;
    const from = await feed.settledUntil();
    const made: Hub = hubs.get(tenantId) ?? {
      live: new Set(),
      all: new Map(),
      from,
      isRunning: false,
    };
    hubs.set(tenantId, made);
    return made;
  }

  /** Beats, and ends with the caller's right to read. */
  function watch(client: Client, isAllowed: () => Promise<boolean>): void {
    const beat = setInterval(client.beat, beatMs).unref();
    const ask = setInterval(async () => {
      if (!(await isAllowed())) client.end();
    }, askMs).unref();
    client.stream.once('close', () => {
      clearInterval(beat);
      clearInterval(ask);
    });
  }

  return {
    /** @throws ApiError invalid_state: the caller, or the Tenant, has too many open */
    async open({ tenantId, caller, types, resume, isAllowed, show }: Reader): Promise<Client> {
      const hub = await hubOf(tenantId);
      assertRoom(hub, caller);
      const client = openClient(types, resume, show);
      hubs.set(tenantId, hub);
      hub.all.set(client, caller);
      client.stream.once('close', () => leave(tenantId, hub, client));
      watch(client, isAllowed);
      if (resume === null) client.mark(hub.from);
      join(tenantId, hub, client, resume?.micros ?? hub.from);
      if (!hub.isRunning) void run(tenantId, hub);
      return client;
    },

    /** Ends every feed of this process. */
    close(): void {
      for (const hub of hubs.values()) endAll(hub);
    },
  };
}
