import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const faults = [
  'export const a = { ...{ b, c }, d };',
  'export const a = { ...({ b } as const), c };',
  'export const a = { b, ...({ c } satisfies C) };',
  "export const a = [...['b', 'c'], d];",
  "export const a = f(...(['b', 'c'] as const), d);",
  'export const a = <B {...{ c, d }} />;',
];
const fine = [
  'export const a = { ...b, ...f({ c }), ...[d].at(0) };',
  'export const a = { ...(b && { c }), ...(d ? { e } : {}) };',
  'export const a = [...[b, c].map(d), ...(e ? [f] : [])];',
  'export const a = (...[b]: [number]): [...number[]] => [b];',
];

test('a spread of a literal is a fault of lint, and one of a condition or a call is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const plugins = [resolve('test/style/spread_of_literal.grit')];
  const linter = { rules: { preset: 'none' } };
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins, linter }));
  writeFileSync(join(folder, 'sample.tsx'), [...faults, ...fine].join('\n'));
  const args = ['lint', '--reporter=github', `--config-path=${folder}`, folder];
  const { stdout } = spawnSync(resolve('node_modules/.bin/biome'), args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const lines = [...stdout.matchAll(/title=plugin,.*?,line=(\d+),/g)].map(([, line]) => line);
  expect(lines).toEqual(faults.map((_, index) => String(index + 1)));
});
