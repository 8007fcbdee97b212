import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** The limits of style (docs/decisions/layout.md). Tests may be longer; they are lists. */
const maximumFileLines = 300;
const maximumMedianLines = 100;
const maximumFunctionLines = 60;
const maximumPathLines = 600;

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(name) && !/\.test(-d)?\.tsx?$/.test(name))
  // Nobody writes these: `npm run emit` does.
  .filter((name) => !name.includes('/generated/'));

const read = (name: string) => readFileSync(name, 'utf8');
const lineCount = (text: string) => text.split('\n').length - 1;

test(`no file is longer than ${maximumFileLines} lines`, () => {
  const long = files.filter((name) => lineCount(read(name)) > maximumFileLines);
  expect(long).toEqual([]);
});

test(`the median file has at most ${maximumMedianLines} lines`, () => {
  const lengths = files.map((name) => lineCount(read(name))).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(maximumMedianLines);
});

/** Functions that only hold others, such as a composition's closure, are measured by those inside. */
function longFunctions(name: string): string[] {
  const source = ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): number => {
    let inner = 0;
    ts.forEachChild(node, (child) => {
      inner += visit(child);
    });
    if (!ts.isFunctionLike(node)) return inner;
    const start = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
    if (lines - inner > maximumFunctionLines) found.push(`${name}:${start + 1} ${lines} lines`);
    return lines;
  };
  visit(source);
  return found;
}

test(`no function is longer than a screen of ${maximumFunctionLines} lines`, () => {
  expect(files.flatMap(longFunctions)).toEqual([]);
});

test('no code leaves a loose end', () => {
  // Spelled apart, so that this file does not find itself.
  const loose = new RegExp(
    ['\\bas a', 'ny\\b|@ts-ig', 'nore|\\bTO', 'DO\\b|\\bFIX', 'ME\\b'].join(''),
  );
  expect(files.filter((name) => loose.test(read(name)))).toEqual([]);
});

test(`the six files that README leads a newcomer through have at most ${maximumPathLines} lines`, () => {
  const linked = [...read('README.md').matchAll(/^\d\. \[`([^`]+)`\]/gm)].map(([, file]) => file);
  expect(linked).toHaveLength(5);
  const lines = ['README.md', ...linked].map((file) => lineCount(read(String(file))));
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(maximumPathLines);
});
