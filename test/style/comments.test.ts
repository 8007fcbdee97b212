import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const words = 'What|Who|Whom|Whose|Where|Those|These|That|Since|Of|It|As';
/** A doc comment that asks for its thing, or points at it, and does not name it. */
const nameless = new RegExp(`/\\*\\*\\s+(?:\\*\\s+)?(?:${words})\\b`, 'g');

/** The places of a text's nameless comments, as `file:line`. */
function placesIn(file: string, text: string): string[] {
  return [...text.matchAll(nameless)].map(
    ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
  );
}

const patterns = ['*.ts', '*.tsx', '*.mts', '*.mjs', '*.js'];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));

test.each(words.split('|'))(
  'a doc comment that begins with %s names nothing, on one line or on several',
  (word) => {
    const [one, several] = [`/** ${word} is read. */`, `\n/**\n * ${word} is read.\n */`];
    expect(placesIn('a.ts', one)).toEqual(['a.ts:1']);
    expect(placesIn('a.ts', several)).toEqual(['a.ts:2']);
    expect(placesIn('a.ts', one.replace(word, `${word}ever`))).toEqual([]);
  },
);

test('a doc comment names its thing, or says by a verb what a function does', () => {
  const found = files.flatMap((file) => placesIn(file, readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});
