import type pg from 'pg';
import type { WindowEvents } from '../load/window.ts';
import { type CpuTimes, readCpu, residentMegabytes, type Watched } from './cpu.ts';
import type { Run } from './runs.ts';

const rssPollMs = 200;
const microsecondsPerSecond = 1_000_000;

/** The position of the write-ahead log, in bytes. */
async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

interface Reading {
  readonly cpu: CpuTimes;
  readonly wal: Promise<number>;
}

/** The replies of the window. */
interface Counted {
  readonly operations: number;
  readonly seconds: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Measures processor time, memory and write-ahead log while a window is open. */
export function watch(client: pg.Client, watched: () => Watched) {
  const readings: Reading[] = [];
  let rssMb: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const read = () => readings.push({ cpu: readCpu(watched()), wal: walPosition(client) });
  const look = () => {
    const now = residentMegabytes(watched().servicePids);
    if (now !== null) rssMb = Math.max(rssMb ?? 0, now);
  };
  const events: WindowEvents = {
    onOpen: () => {
      read();
      timer = setInterval(look, rssPollMs);
    },
    onClose: () => {
      read();
      clearInterval(timer);
    },
  };
  async function result(counted: Counted): Promise<Run> {
    const { operations, seconds } = counted;
    const [before, after] = readings;
    if (!before || !after) throw new Error('the run was too short to measure');
    const micros = (of: keyof CpuTimes) =>
      ((after.cpu[of] - before.cpu[of]) / operations) * microsecondsPerSecond;
    return {
      ...counted,
      perSecond: operations / seconds,
      serviceCpu: micros('service'),
      databaseCpu: micros('database'),
      clientCpu: micros('client'),
      walBytes: ((await after.wal) - (await before.wal)) / operations,
      rssMb,
    };
  }
  return { events, result };
}
