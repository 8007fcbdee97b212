import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = 'docs/rules';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');

/** The numbers of a page's paragraphs, in their order. */
const numbersOf = (page: string): number[] =>
  [...readFileSync(`${folder}/${page}`, 'utf8').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n));

const paragraphs = new Set(
  pages.flatMap((page) => numbersOf(page).map((n) => `rules/${page.replace('.md', '')}#${n}`)),
);

const texts = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => /\.(ts|tsx|mjs|cjs|sql|md|html|css)$/.test(name) && existsSync(name))
  // Databases keep the checksum of each applied migration, so that even its comments stay.
  .filter((name) => !name.startsWith('service/db/migrations/'))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }));

/** The part of the line before a place of a text. */
const lineBefore = (text: string, index: number): string =>
  text.slice(text.lastIndexOf('\n', index) + 1, index);

/** `file: what it says`, for each match in the repository. */
const saying = (pattern: RegExp, isFine: (match: string, before: string) => boolean): string[] =>
  texts.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)]
      .filter(({ 0: match, index }) => !isFine(match, lineBefore(text, index)))
      .map(([match]) => `${name}: ${match}`),
  );

describe.each(pages)('%s', (page) => {
  test('numbers its paragraphs from 1 on, each once', () => {
    const numbers = numbersOf(page);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test('is in the list of pages', () => {
    expect(readFileSync(`${folder}/README.md`, 'utf8')).toContain(`(${page})`);
  });
});

test('every rule that is cited is there', () => {
  expect(paragraphs.size).toBeGreaterThan(100);
  expect(saying(/\brules\/[a-z-]+#\d+/g, (cited) => paragraphs.has(cited))).toEqual([]);
});

test('nothing cites a document that the repository does not hold', () => {
  // Written apart, so that this file does not find itself.
  const elsewhere = ['decisions \\d', 'contract: [A-Z]', 'architecture \\d', 'surface[s],'];
  const missing = ['decisions', 'contract', 'surfaces', 'people'].map((page) => `\\b${page}[.]md`);
  const isHere = (_: string, before: string) => /(\]\([^)]*|guide\/|rules\/)$/.test(before);
  expect(saying(new RegExp(`\\b(${elsewhere.join('|')})`, 'g'), isHere)).toEqual([]);
  expect(saying(new RegExp(missing.join('|'), 'g'), isHere)).toEqual([]);
});
