import { reportSection } from '../reports/measure.ts';
import { cellsSection } from './cells.ts';
import { crowdSection } from './crowd.ts';
import { diskSection } from './disk.ts';
import { enduranceSection } from './endurance.ts';
import { idleSection } from './idle.ts';
import { killedSection } from './killed.ts';
import { overloadSection } from './overload.ts';
import { pageSection } from './page.ts';
import { readSection } from './reads.ts';
import type { Section } from './section.ts';
import { startSection } from './starts.ts';
import { traceSection } from './traces.ts';
import { webhookSection } from './webhooks.ts';

/** Before any load. */
export const quietSections: readonly Section[] = [startSection, idleSection, pageSection];

/** After the rounds. */
export const loadSections: readonly Section[] = [
  crowdSection,
  cellsSection,
  killedSection,
  diskSection,
  webhookSection,
  traceSection,
  readSection,
  overloadSection,
  reportSection,
  enduranceSection,
];
