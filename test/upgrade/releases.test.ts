import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keptReleases } from './release_file.ts';
import { releases } from './releases.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const versionOf = (text: string): string => JSON.parse(text).version;

const released = [...read('docs/changelog.md').matchAll(/^## (\d\S*) \(\d{4}-\d\d-\d\d\)$/gm)].map(
  ([, version = '']) => version,
);
const now = versionOf(read('package.json'));

test('each release of the changelog has left its rows', async () => {
  expect((await keptReleases()).toSorted()).toEqual(released.toSorted());
});

test('each release of the changelog is named with its commit, save the one that is being made', () => {
  const named = releases.map(({ version }) => version);
  const unnamed = released.filter((version) => !named.includes(version));
  expect(unnamed.filter((version) => version !== now)).toEqual([]);
  expect(named.filter((version) => !released.includes(version))).toEqual([]);
});

test.each(releases)('at $commit the repository has the version $version', ({ version, commit }) => {
  const text = execFileSync('git', ['show', `${commit}:package.json`], { encoding: 'utf8' });
  expect(versionOf(text)).toBe(version);
});
