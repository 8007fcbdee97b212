import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { forEachOver, openCaller } from '../load/callers.ts';
import { readCpu } from '../measure/cpu.ts';
import { poster } from '../setup/people.ts';
import { setupConnections } from '../setup/population.ts';
import { firstSale, type Kind, kinds } from './kinds.ts';

const clients = 128;
/** Prepared statements and caches of a service that has just started. */
const warmUpSeconds = 5;
const microsecondsPerSecond = 1_000_000;

/** One second of the load. */
export interface Second {
  /** Payments that came to their end in it. */
  readonly ended: number;
  /** Microseconds of processor time for each of them. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
}

/** Gives each merchant money of its own. */
async function openMerchants({ maker: { port, allPeople, random } }: Bench): Promise<void> {
  const sales = allPeople.flatMap((people) =>
    people.merchants.map((merchant) => ({ people, sell: firstSale(merchant) })),
  );
  await forEachOver(port, setupConnections, sales, (call, { people, sell }) =>
    sell({ post: poster(call, people.tenant), people, random }),
  );
}

interface Progress {
  ended: number;
  isOver: boolean;
}

/** Counts, each second, what ended since the last one. */
async function countSeconds({ database, service }: Bench, seconds: number, progress: Progress) {
  const { postmasterPid } = database;
  const watched = { servicePids: [service.pid], postmasterPid, clientPid: process.pid };
  const look = () => ({ ended: progress.ended, cpu: readCpu(watched) });
  await sleep(warmUpSeconds * 1_000);
  const counted: Second[] = [];
  const begun = performance.now();
  let last = look();
  for (let second = 1; second <= seconds && !progress.isOver; second += 1) {
    await sleep(begun + second * 1_000 - performance.now());
    const now = look();
    const count = now.ended - last.ended;
    const micros = (of: 'service' | 'database') =>
      ((now.cpu[of] - last.cpu[of]) / count) * microsecondsPerSecond;
    counted.push({ ended: count, serviceCpu: micros('service'), databaseCpu: micros('database') });
    last = now;
  }
  return counted;
}

/** A closed loop of all kinds of payments. @throws when a reply is not the wanted one */
export async function endure(bench: Bench, seconds: number): Promise<Second[]> {
  const { port, allPeople, random } = bench.maker;
  await openMerchants(bench);
  const progress: Progress = { ended: 0, isOver: false };
  let begun = 0;
  async function pay(): Promise<void> {
    const { call, close } = await openCaller(port);
    try {
      while (!progress.isOver) {
        const kind = kinds[begun++ % kinds.length] as Kind;
        const people = random.pick(allPeople);
        await kind({ post: poster(call, people.tenant), people, random });
        progress.ended += 1;
      }
    } finally {
      progress.isOver = true;
      close();
    }
  }
  const counting = countSeconds(bench, seconds, progress).finally(() => {
    progress.isOver = true;
  });
  const [counted] = await Promise.all([counting, ...Array.from({ length: clients }, pay)]);
  return counted;
}
