import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parts } from '../kit/processes/parts.ts';
import { filesIn, filesReached } from '../kit/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Code of the product: a script may be the build's, the tests' or a user's. */
const isCode = (path: string) => /\.tsx?$/.test(path) && !/\.(test|d)\.ts$|^scripts\//.test(path);

const known = Object.entries(parts).flatMap(([name, part]) => (part ? [{ name, ...part }] : []));

test.each(known)('tests see $name as all of its sources are now', ({ sources }) => {
  const isSource = (path: string) =>
    sources.some((source) => path === source || path.startsWith(`${source}/`));
  const files = filesIn(root).filter((path) => isCode(path) && isSource(path));
  expect(filesReached(root, files).filter((path) => !isSource(path))).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});
