import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, serviceCommand, startService } from '../service_process.ts';

/** Seconds from the spawn to the first 200 of /readyz, for each repetition. */
export interface Starts {
  readonly cold: readonly number[];
  readonly warm: readonly number[];
  /** Cold, by `npm start`. */
  readonly coldWithNpm: readonly number[];
}

async function startOnce(dataDir: string, command: Command = serviceCommand()) {
  const service = await startService({ dataDir, command });
  await service.stop();
  return service.secondsToReady;
}

/** Starts and stops the service on empty folders, and again on the same data. */
export async function measureStarts(folder: string, repetitions: number): Promise<Starts> {
  const starts = { cold: [] as number[], warm: [] as number[], coldWithNpm: [] as number[] };
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const dataDir = join(folder, String(repetition));
    starts.cold.push(await startOnce(dataDir));
    starts.warm.push(await startOnce(dataDir));
    starts.coldWithNpm.push(await startOnce(`${dataDir}-npm`, ['npm', 'start']));
  }
  return starts;
}
