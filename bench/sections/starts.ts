import { measureStarts } from '../measure/starts.ts';
import type { Section } from './section.ts';

/** Cold and warm starts. */
export const startSection: Section = {
  keys: ['cold_start_seconds', 'warm_start_seconds'],
  async measure({ folder, rounds, say }) {
    const { cold, warm, coldWithNpm } = await measureStarts(folder, rounds);
    const withNpm = coldWithNpm.map((seconds) => seconds.toFixed(2)).join(' ');
    say(`cold start by "npm start", in seconds: ${withNpm}`);
    return { cold_start_seconds: cold, warm_start_seconds: warm };
  },
};
