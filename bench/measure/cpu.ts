import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time since the start of a process. */
export interface CpuTimes {
  readonly service: number;
  readonly database: number;
  /** The load generator, or pgbench. */
  readonly client: number;
}

/** The processes whose time a run measures. */
export interface Watched {
  /** All processes of the service. */
  readonly servicePids: readonly number[];
  readonly postmasterPid: number;
  readonly clientPid: number;
}

/** Linux counts in hundredths of a second (proc(5)). */
const ticksPerSecond = 100;
const kilobytesPerMegabyte = 1024;

interface Stat {
  readonly parent: number;
  readonly own: number;
  /** Time of children that have ended. */
  readonly ended: number;
}

/** Null when the process has ended. */
function readStat(pid: string | number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name in brackets can contain anything; the next field is the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return {
      parent: field(4),
      own: (field(14) + field(15)) / ticksPerSecond,
      ended: (field(16) + field(17)) / ticksPerSecond,
    };
  } catch {
    return null;
  }
}

/** The time of the children that run. */
function childrenSeconds(pid: number): number {
  let seconds = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat?.parent === pid) seconds += stat.own;
  }
  return seconds;
}

/**
 * A process with its children, also those that have ended, so it only grows. A child that ends while they are read
 * would be in neither sum, and its whole life in what is measured next: then all are read again.
 */
export function familySeconds(pid: number): number {
  for (;;) {
    const before = readStat(pid);
    if (!before) return 0;
    const running = childrenSeconds(pid);
    const head = readStat(pid);
    if (head?.ended === before.ended) return head.own + head.ended + running;
  }
}

/** Processor time and memory are read from /proc; elsewhere the figures that need them are left out. */
export const canReadCpu = process.platform === 'linux';

/** A snapshot; the difference of two is the time between them. */
export function readCpu({ servicePids, postmasterPid, clientPid }: Watched): CpuTimes {
  if (!canReadCpu) return { service: 0, database: 0, client: 0 };
  return {
    service: servicePids.reduce((sum, pid) => sum + (readStat(pid)?.own ?? 0), 0),
    database: familySeconds(postmasterPid),
    client: readStat(clientPid)?.own ?? 0,
  };
}

/** Resident memory of all these processes now, in MB; null when it cannot be read. */
export function residentMegabytes(pids: readonly number[]): number | null {
  let megabytes = 0;
  for (const pid of pids) {
    const own = readResident(pid);
    if (own === null) return null;
    megabytes += own;
  }
  return megabytes;
}

function readResident(pid: number): number | null {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / kilobytesPerMegabyte : null;
  } catch {
    return null;
  }
}
