import { mkdir } from 'node:fs/promises';
import { compareKilled } from '../cells/killed.ts';
import type { Section } from './section.ts';

const key = 'cell_killed_p99';

/** A process with two cells, of which each has a PostgreSQL of its own. */
export const killedSection: Section = {
  keys: [key],
  async measure({ folder, rounds, say }) {
    await mkdir(folder, { mode: 0o711 });
    return { [key]: await compareKilled(folder, rounds, say) };
  },
};
