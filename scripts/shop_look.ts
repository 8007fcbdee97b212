import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run emit`: writes the look of all surfaces for Corner Shop, which is copied out of this repository and so
 * has a file of its own. With `--check` it writes nothing and exits with 1 when the file is another.
 */
const file = new URL('../examples/corner-shop/page/styles/tokens.css', import.meta.url);
const styleOf = (name: string) =>
  readFileSync(new URL(`../web/ui/styles/${name}`, import.meta.url), 'utf8');

const mark =
  '/* The look of all pages, made from web/ui/styles by `npm run emit`. Do not edit. */\n';
const tokens = styleOf('tokens.css').replace(/^\/\*[\s\S]*?\*\/\n/, '');
const text = `${mark}${tokens}\n${styleOf('font.css')}`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error(`${file.pathname} is not what web/ui/styles says. Run \`npm run emit\`.`);
  process.exitCode = 1;
}
