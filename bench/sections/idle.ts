import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytes } from '../measure/cpu.ts';
import { startService } from '../service_process.ts';
import type { Section } from './section.ts';

/** V8 gives back what the start needed 16 to 30 s after it: sooner on a fast machine. */
const restMs = 45_000;

/** The service without a request. */
export const idleSection: Section = {
  keys: ['service_rss_idle_mb'],
  async measure({ folder, rounds }) {
    const figures: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const service = await startService({ dataDir: `${folder}-${round}` });
      await sleep(restMs);
      const megabytes = residentMegabytes([service.pid]);
      if (megabytes !== null) figures.push(megabytes);
      await service.stop();
    }
    return figures.length > 0 ? { service_rss_idle_mb: figures } : {};
  },
};
