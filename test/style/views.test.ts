import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesIn } from '../kit/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

/** In a remote cell a view of control is a foreign table, which has no defaults: only the night has such a cell. */
test('no test inserts rows into a view of control', () => {
  const baseline = read('service/db/migrations/0001_baseline.sql');
  const views = [...baseline.matchAll(/^create view (control\.\w+)/gm)].map(([, name]) => name);
  expect(views).toContain('control.roles');
  const inserting = new RegExp(`insert into (?:${views.join('|')})\\b`);
  const files = filesIn(root).filter((path) => /(?:^test\/.*|\.test)\.ts$/.test(path));
  expect(files.filter((path) => inserting.test(read(path)))).toEqual([]);
});
