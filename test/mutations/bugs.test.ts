import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { mutated } from './bug.ts';
import { bugs } from './bugs.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('there are at least 34 bugs, each under a name of its own', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(34);
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
});

describe.each(bugs)('$name', (bug) => {
  test('can be made in its function at one place, and the file is still a program', () => {
    const text = mutated(bug, read(bug.file));
    expect(text).not.toBe(read(bug.file));
    const { diagnostics } = ts.transpileModule(text, {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    });
    expect(diagnostics).toEqual([]);
  });

  test('is looked for by tests that are there', () => {
    expect(bug.tests.length).toBeGreaterThan(0);
    for (const file of bug.tests) expect(read(file)).toMatch(/\b(test|it)\b/);
  });
});

test('a function or a part of it that is not there exactly once is refused', () => {
  const bug = {
    name: 'b',
    file: 'f.ts',
    in: 'f',
    swap: ['a < b', 'a > b'],
    tests: [],
    why: '',
  } as const;
  const f = (body: string) => `const g = a < b;\nfunction f() { ${body} }`;
  expect(mutated(bug, f('return a\n  <b;'))).toBe(f('return a > b;'));
  expect(() => mutated(bug, f('return b'))).toThrow('occurs 0 times in f');
  expect(() => mutated(bug, f('return a < b || a < b'))).toThrow('occurs 2 times in f');
  expect(() => mutated(bug, 'const g = a < b')).toThrow('declares f nowhere');
  expect(() => mutated(bug, f('a < b').repeat(2))).toThrow('declares f twice');
});
