import { readdirSync, readFileSync } from 'node:fs';
import {
  actGroups,
  actWords,
  doneWords,
  triedWords,
} from '@tenant-payments/contract/core/fields/acts.ts';
import { expect, test } from 'vitest';
import { portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { approvalActs } from '../contract/operate/approvals.ts';
import { reviewMoves } from '../contract/operate/review.ts';
import { reviewAct } from './acts.ts';

/** Acts of the audit as people read them (rules/audit#23). */

/** Acts that the code names by itself: of the command line, of jobs. */
const written = ['backoffice', 'service', 'engine', 'fleet', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => !name.includes('node_modules'))
    .flatMap((name) => [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/\bact: '(\w+)'/g)])
    .map(([, act = '']) => act),
);

const endpoints: readonly PortalEndpoint[] = Object.values(portalEndpoints);
const changing = endpoints
  .filter(
    ({ id, method }) =>
      method !== 'GET' && !/^(begin|open[A-Z]\w*(?<!Identity|Document)$|preview)/.test(id),
  )
  .map(({ id }) => id)
  .filter((id) => id !== 'reviewRecord');

const acts = new Set([
  ...changing,
  ...Object.entries(reviewMoves).flatMap(([resource, moves]) =>
    moves.map((move) => reviewAct(resource, move)),
  ),
  ...Object.values(approvalActs).flatMap(({ audited }) => audited ?? []),
  ...written,
  'review',
  'finishSingleSignOn',
]);

const known = new Map(actGroups.flatMap(([, group]) => Object.entries(group)));

test.each([...acts])('%s has a sentence and a group', (act) => {
  expect(known.has(act), `${act} is in no group of contract/core/fields/acts.ts`).toBe(true);
  const words = actWords(act);
  expect(words).toMatch(/^[A-Z][a-z]+ /);
  expect(`${words} ${doneWords(words)}`).not.toMatch(/_|[a-z][A-Z]/);
});

test('no sentence is of an act that there is not, and no two are the same', () => {
  expect([...known.keys()].filter((act) => !acts.has(act))).toEqual([]);
  expect(new Set(known.values()).size).toBe(known.size);
});

test.each([
  ['retireWebhookSecret', 'Retired a webhook secret', 'Tried to retire a webhook secret'],
  ['putSettings', 'Changed the settings', 'Tried to change the settings'],
  ['takeCase', 'Took a case', 'Tried to take a case'],
  ['review.disputes.resolve_denied', 'Denied a dispute', 'Tried to deny a dispute'],
  ['applyMigrations', 'Migrated the database', 'Tried to migrate the database'],
])('%s is told as done and as refused', (act, done, tried) => {
  const words = actWords(act);
  expect([doneWords(words), triedWords(words)]).toEqual([done, tried]);
});
