import type { Bug } from './bug.ts';
import { engineBugs } from './engine.ts';
import { lifecycleBugs } from './lifecycles.ts';
import { moneyBugs } from './money.ts';
import { outsideBugs } from './outside.ts';
import { staffBugs } from './staff.ts';
import { tenancyBugs } from './tenancy.ts';

/** Every seeded bug of `npm run mutations`. */
export const bugs: readonly Bug[] = [
  ...engineBugs,
  ...moneyBugs,
  ...tenancyBugs,
  ...lifecycleBugs,
  ...outsideBugs,
  ...staffBugs,
];
