import type pg from 'pg';
import { readCpu, residentMegabytes, type Watched } from './cpu.ts';
import type { WindowEvents } from './load/window.ts';
import type { Run } from './runs.ts';

const rssPollMs = 200;
const microsecondsPerSecond = 1_000_000;

/** The head of the write-ahead log in bytes. */
export async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** What the window's answers came to. */
interface Counted {
  readonly operations: number;
  readonly seconds: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly walBytes: number;
}

/** Reads processor time and memory while a window is open. */
export function watch(watched: () => Watched) {
  let before = { service: 0, database: 0, client: 0 };
  let after = before;
  let rssMb: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    rssMb = Math.max(rssMb ?? 0, residentMegabytes(watched().servicePid) ?? 0) || null;
  };
  const events: WindowEvents = {
    onOpen: () => {
      before = readCpu(watched());
      timer = setInterval(look, rssPollMs);
    },
    onClose: () => {
      after = readCpu(watched());
      look();
      clearInterval(timer);
    },
  };
  function result(counted: Counted): Run {
    const { operations, seconds } = counted;
    const micros = (from: number, to: number) => ((to - from) / operations) * microsecondsPerSecond;
    return {
      ...counted,
      perSecond: operations / seconds,
      serviceCpu: micros(before.service, after.service),
      databaseCpu: micros(before.database, after.database),
      clientCpu: micros(before.client, after.client),
      rssMb,
    };
  }
  return { events, result };
}
