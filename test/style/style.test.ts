import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** The limits of style (rules/engine#28). Tests may be longer; they are lists. */
const maximumFileLines = 300;
const maximumMedianLines = 90;
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

const parse = (name: string, text: string) =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest);

function lineSpan(source: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1;
}

const holdsStatement = (node: ts.Node): boolean =>
  ts.isBlock(node) || ts.forEachChild(node, holdsStatement) === true;

/** Whether a value is an array or object literal, alone or as an argument of a call. */
function isData(value: ts.Expression): boolean {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) return isData(value.expression);
  if (ts.isCallExpression(value) || ts.isNewExpression(value))
    return (value.arguments ?? []).some(isData);
  return ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value);
}

const isTable = (node: ts.Statement): boolean =>
  ts.isVariableStatement(node) &&
  !holdsStatement(node) &&
  node.declarationList.declarations.every(({ initializer }) => initializer && isData(initializer));

/** The lines of a file without those of its tables. */
function linesBesideTables(name: string, text: string): number {
  const source = parse(name, text);
  const tables = source.statements.filter(isTable).map((table) => lineSpan(source, table));
  return lineCount(text) - tables.reduce((sum, lines) => sum + lines, 0);
}

test.each([
  ['an array', 'const a = [\n1,\n2,\n];\n'],
  ['a typed object', 'export const a = {\nb: (c) => c + 1,\n} as const satisfies B;\n'],
  ['a literal in a call', 'const a = new Map(\nof([\n[1, 2],\n]));\n'],
])('%s at the top of a file does not count for its length', (_, text) => {
  expect(linesBesideTables('a.ts', `${text}const b = 1;\n`)).toBe(1);
});

test.each([
  ['an object with a statement', 'const a = {\nb() {\nreturn 1;\n},\n};\n'],
  ['a function of an object', 'const a = () => ({\nb: 1,\n});\n'],
  ['an array in a function', 'function a() {\nconst b = [\n1,\n];\n}\n'],
])('%s counts for the length of its file', (_, text) => {
  expect(linesBesideTables('a.ts', text)).toBe(lineCount(text));
});

/** The files of more than `lines` lines: only these are parsed, which takes a while. */
const longerThan = (lines: number) => files.filter((name) => lineCount(read(name)) > lines);

test(`no file has more than ${maximumFileLines} lines beside its tables`, () => {
  const isLong = (name: string) => linesBesideTables(name, read(name)) > maximumFileLines;
  expect(longerThan(maximumFileLines).filter(isLong)).toEqual([]);
});

test(`the median file has at most ${maximumMedianLines} lines`, () => {
  const lengths = files.map((name) => lineCount(read(name))).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(maximumMedianLines);
});

/** Sorting the tests follows imports by their text. */
test('an import of our own names its file by its own ending', () => {
  const renamed = /from '(?:\.|@tenant-payments\/)[^']*\.jsx?'/;
  expect(files.filter((name) => renamed.test(read(name)))).toEqual([]);
});

/** Functions that only hold others, such as a composition's closure, are measured by those inside. */
function longFunctions(name: string): string[] {
  const source = parse(name, read(name));
  const found: string[] = [];
  const visit = (node: ts.Node): number => {
    let inner = 0;
    ts.forEachChild(node, (child) => {
      inner += visit(child);
    });
    if (!ts.isFunctionLike(node)) return inner;
    const lines = lineSpan(source, node);
    if (lines - inner > maximumFunctionLines) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${name}:${line + 1} ${lines} lines`);
    }
    return lines;
  };
  visit(source);
  return found;
}

test(`no function is longer than a screen of ${maximumFunctionLines} lines`, () => {
  expect(longerThan(maximumFunctionLines).flatMap(longFunctions)).toEqual([]);
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
