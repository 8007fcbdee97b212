import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { snippetsOf } from '../kit/guides/snippets.ts';
import { runNode } from '../kit/processes/run_node.ts';

const require = createRequire(import.meta.url);
const grammars = [
  ['swift', require.resolve('tree-sitter-wasms/out/tree-sitter-swift.wasm')],
  ['kotlin', require.resolve('tree-sitter-wasms/out/tree-sitter-kotlin.wasm')],
] as const;
const snippets = snippetsOf(readFileSync('docs/guide/native-app.md', 'utf8'));
const program = fileURLToPath(new URL('./well_formed.ts', import.meta.url));

/** The optimizing compiler of Node 24 aborts on these grammars: github.com/nodejs/node/issues/63421. */
const node = ['--liftoff-only', '--import', 'tsx'];

async function areWellFormed(grammar: string, texts: readonly string[]): Promise<unknown> {
  const args = [...node, program, grammar, JSON.stringify(texts)];
  const { code, stdout, stderr } = await runNode(args, { cwd: process.cwd() });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.each(grammars)(
  'the %s of the guide for native apps follows its grammar',
  async (language, grammar) => {
    const texts = snippets.filter((one) => one.language === language).map(({ text }) => text);
    expect(texts).not.toEqual([]);
    const damaged = texts.map((text) => text.replace(')', ''));
    const answer = [...texts.map(() => true), ...damaged.map(() => false)];
    expect(await areWellFormed(grammar, [...texts, ...damaged])).toEqual(answer);
  },
);
