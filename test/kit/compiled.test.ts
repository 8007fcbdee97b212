import { expect, test } from 'vitest';
import { placed } from './compiled.ts';

const from = 'service/flows/one.ts';
const source = new URL(`../../${from}`, import.meta.url).href;

test.each([
  ["import a from './b.ts'", "import a from './b.ts.mjs'"],
  ["export { a } from '../http/b.ts'", "export { a } from '../http/b.ts.mjs'"],
  [
    "import a from '@tenant-payments/engine/time/b.ts'",
    "import a from '../../engine/time/b.ts.mjs'",
  ],
  ["import a from '@tenant-payments/sdk-server'", "import a from '../../sdk/server/index.ts.mjs'"],
  ["import Type from 'typebox'", "import Type from '../../packages/typebox.mjs'"],
  ['const a = await import("./b.ts")', 'const a = await import("./b.ts.mjs")'],
  ['new URL("b.sql", import.meta.url)', `new URL("b.sql", "${source}")`],
])('compiled, %s leads to where its source leads', (before, after) => {
  expect(placed(before, from)).toBe(after);
});

test('what is no file of ours stays where it is, and so does a text that reads like an import', () => {
  const json = new URL('package.json', new URL('../', source)).href;
  expect(placed("import a from '../package.json'", from)).toBe(`import a from '${json}'`);
  for (const code of [
    "import pg from 'pg'",
    "import { join } from 'node:path'",
    'const text = "import a from \'./b.ts\' by import.meta.url"',
  ])
    expect(placed(code, from)).toBe(code);
});
