import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { page, table } from '../contract/emit/tables/markdown.ts';
import { texts as en } from '../web/flows/texts/en.ts';
import { texts as es } from '../web/flows/texts/es.ts';
import { type Leaf, leavesOf } from '../web/flows/texts/leaves.ts';

/**
 * `npm run emit`: writes docs/reference/page-texts.md, every text of the hosted pages in both languages.
 * With `--check` it writes nothing and exits with 1 when the page is not what the tables say.
 */
const file = new URL('../docs/reference/page-texts.md', import.meta.url);

/** Numbers for which some texts say something else. */
const numbers = [0, 1, 200];

const placesOf = (text: (...given: unknown[]) => string): readonly string[] =>
  (/^\(?([^)=]*)\)?\s*=>/.exec(String(text))?.[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** A text with its places, `{tenant}`; then what it says for a number if that is another text. */
function wordsOf(leaf: Leaf): string {
  if (typeof leaf === 'string') return leaf;
  const places = placesOf(leaf);
  const words = leaf(...places.map((name) => `{${name}}`));
  const others = numbers
    .map((number) => [number, leaf(...places.map(() => number))] as const)
    .filter(([number, said]) => said !== words.replaceAll(/\{\w+\}/g, `${number}`));
  return [words, ...others.map(([number, said]) => `${number}: ${said}`)].join('<br>');
}

/** Each text of both languages, by its key within the section. */
function rows(ours: object, theirs: object): string[][] {
  const other = new Map(leavesOf(theirs));
  return leavesOf(ours).map(([key, leaf]) => [
    `\`${key}\``,
    wordsOf(leaf),
    wordsOf(other.get(key) ?? ''),
  ]);
}

const sections = Object.entries(en).map(
  ([name, ours]) =>
    `## ${name}\n\n${table(['key', 'English', 'Español'], rows(ours, es[name as keyof typeof es]))}`,
);
const intro = `What the hosted pages say, in English and in the Spanish of the United States, side by side. Where
\`{a name}\` stands, the page puts a value; a line that begins with a number is what is said for that number.
The tables are [\`web/flows/texts\`](../../web/flows/texts) and, of what sign-in shows too,
[\`web/ui/texts\`](../../web/ui/texts): change a text there, then run \`npm run emit\`.`;
const mark = '<!-- Made from web/flows/texts and web/ui/texts by `npm run emit`. Do not edit. -->';
const text = page('Texts of the hosted pages', intro, ...sections).replace(/<!-- .* -->/, mark);

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/reference/page-texts.md is not what the pages say. Run `npm run emit`.');
  process.exitCode = 1;
}
