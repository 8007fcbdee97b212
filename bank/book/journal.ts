import { constants } from 'node:fs';
import { open, readFile, truncate } from 'node:fs/promises';
import type { Entry } from './types.ts';

/** The bank's book on the disk: a line for each entry, only ever added to. */
export interface Journal {
  /** Resolves when the entry, and all before it, would survive the loss of the machine. */
  append(entry: Entry): Promise<void>;
  /** Resolves when all that was appended would. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Entries of the file. A last line without an end was never acknowledged, and is cut off. */
async function replay(path: string): Promise<Entry[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const whole = bytes.lastIndexOf('\n') + 1;
  if (whole < bytes.length) await truncate(path, whole);
  const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new Error(`${path} is damaged in line ${index + 1}`);
    }
  });
}

/**
 * Opens a journal. Entries that are appended while the disk is busy are written together.
 * @param onFault called when the disk refuses: nothing may be acknowledged any more
 */
export async function openJournal(
  path: string,
  onFault: (error: unknown) => void,
): Promise<{ entries: readonly Entry[]; journal: Journal }> {
  const entries = await replay(path);
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  let waiting: string[] = [];
  let underWay: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    try {
      await file.appendFile(lines.join(''));
      await file.datasync();
    } catch (error) {
      onFault(error);
      throw error;
    }
  }
  function settled(): Promise<void> {
    // Lines that wait are written once the disk has taken those under way.
    if (waiting.length > 0) underWay = underWay.then(write);
    return underWay;
  }

  return {
    entries,
    journal: {
      append(entry) {
        waiting.push(`${JSON.stringify(entry)}\n`);
        return settled();
      },
      settled,
      async close() {
        await settled();
        await file.close();
      },
    },
  };
}
