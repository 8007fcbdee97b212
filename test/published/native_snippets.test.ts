import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { snippetsOf } from '../kit/guides/snippets.ts';

const require = createRequire(import.meta.url);
const grammars = [
  ['swift', require.resolve('tree-sitter-wasms/out/tree-sitter-swift.wasm')],
  ['kotlin', require.resolve('tree-sitter-wasms/out/tree-sitter-kotlin.wasm')],
] as const;
const snippets = snippetsOf(readFileSync('docs/guide/native-app.md', 'utf8'));

beforeAll(() => Parser.init());

test.each(grammars)(
  'the %s of the guide for native apps follows its grammar',
  async (language, grammar) => {
    const parser = new Parser();
    parser.setLanguage(await Language.load(grammar));
    const isWellFormed = (text: string) => parser.parse(text)?.rootNode.hasError === false;
    const texts = snippets.filter((one) => one.language === language).map(({ text }) => text);
    expect(texts).not.toEqual([]);
    expect(texts.filter((text) => !isWellFormed(text))).toEqual([]);
    expect(texts.filter((text) => isWellFormed(text.replace(')', '')))).toEqual([]);
  },
);
