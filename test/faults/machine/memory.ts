import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLine } from '../../kit/processes/built.ts';
import { type Host, type Outcome, openStage } from './stage.ts';

/** A service whose container may have 256 MB. */

const limitBytes = 256 * 1024 * 1024;
const megabyte = 1024 * 1024;
const playMs = 30_000;

/** The cgroups of versions 1 and 2: their folders, and the files that say the limit and what was used. */
const kinds = [
  {
    parent: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
  { parent: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
] as const;

interface Group {
  /** A line for a shell that puts itself there. */
  readonly enter: string;
  peakMegabytes(): number;
  remove(): void;
}

/** @returns null where no group can be made: not as root, or not on Linux */
function openGroup(): Group | null {
  for (const { parent, limit, peak } of kinds) {
    const folder = join(parent, `tpay-${process.pid}`);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, limit), String(limitBytes));
      return {
        enter: `echo $$ > ${folder}/cgroup.procs`,
        peakMegabytes: () =>
          Math.round(Number(readFileSync(join(folder, peak), 'utf8')) / megabyte),
        remove: () => rmdirSync(folder),
      };
    } catch {
      try {
        rmdirSync(folder);
      } catch {
        // There is none.
      }
    }
  }
  return null;
}

export async function proveLittleMemory(host: Host): Promise<Outcome> {
  const group = openGroup();
  if (!group) return { violations: ['no cgroup of memory can be made here'], figures: {} };
  const [, , line] = startLine;
  const stage = await openStage(host, 'api,worker', {
    how: { command: ['sh', '-c', `${group.enter} && ${line}`] },
  });
  await sleep(playMs);
  const peakMegabytes = group.peakMegabytes();
  const outcome = await stage.end();
  group.remove();
  const { violations, figures } = outcome;
  const failed = (figures.cut ?? 0) + (figures.unavailable ?? 0);
  return {
    violations: failed > 0 ? [...violations, `${failed} requests failed`] : violations,
    figures: { ...figures, peakMegabytes },
  };
}
