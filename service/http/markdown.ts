import { escaped } from './docs_page.ts';

/** Where a link leads, or null: its words stand alone. */
export type Resolve = (target: string) => string | null;

/** Code first, so that nothing in it is taken for markup; its place is kept by a sign that no text has. */
function inline(text: string, resolve: Resolve): string {
  const codes: string[] = [];
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, (_, code: string) => `\uE000${codes.push(code) - 1}\uE000`)
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) => {
      const address = resolve(target);
      return address === null ? words : `<a href="${address}">${words}</a>`;
    })
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => `<code>${codes[Number(index)]}</code>`);
}

/** The name under which a heading is linked to, as repositories make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const cellsOf = (row: string): string[] =>
  row
    .replaceAll(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

function table(block: string, resolve: Resolve): string {
  const [head = '', , ...rows] = block.trim().split('\n');
  const row = (text: string, tag: 'th' | 'td') =>
    `<tr>${cellsOf(text)
      .map((cell) => `<${tag}>${inline(cell, resolve)}</${tag}>`)
      .join('')}</tr>`;
  const body = rows.map((text) => row(text, 'td')).join('\n');
  return `<div class="wide" tabindex="0"><table>\n<thead>${row(head, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>`;
}

function list(block: string, tag: 'ul' | 'ol', resolve: Resolve): string {
  const items = block.split(/^(?:- |\d+\. )/m).slice(1);
  return `<${tag}>\n${items.map((item) => `<li>${inline(item.trim(), resolve)}</li>`).join('\n')}\n</${tag}>`;
}

type Render = (match: RegExpExecArray, resolve: Resolve) => string;

/** What may stand at the start of a text, and how it is shown; the last takes whatever is left. */
const blocks: readonly (readonly [RegExp, Render])[] = [
  [/^\n+/, () => ''],
  [/^<!--[\s\S]*?-->\n*/, () => ''],
  [
    /^```.*\n([\s\S]*?)^```(?:\n|$)/m,
    ([, code = '']) => `<pre class="wide" tabindex="0">${escaped(code)}</pre>`,
  ],
  [
    /^(#{1,6}) (.*)(?:\n|$)/,
    ([, { length: level } = '', heading = ''], resolve) =>
      `<h${level} id="${escaped(anchorOf(heading))}">${inline(heading, resolve)}</h${level}>`,
  ],
  [/^(?:\|.*(?:\n|$))+/, ([block], resolve) => table(block, resolve)],
  [/^(?:- .*(?:\n|$)(?: {2,}.*(?:\n|$))*)+/, ([block], resolve) => list(block, 'ul', resolve)],
  [/^(?:\d+\. .*(?:\n|$)(?: {2,}.*(?:\n|$))*)+/, ([block], resolve) => list(block, 'ol', resolve)],
  [
    /^.+(?:\n(?!```|#{1,6} |\||- |\d+\. ).+)*/,
    ([block], resolve) => `<p>${inline(block, resolve)}</p>`,
  ],
];

/**
 * The Markdown that our own pages are written in: headings, paragraphs, flat lists, tables, fenced
 * code, `code`, **bold** and links. All else stands there as it is written.
 * @returns HTML in which nothing of the text is markup
 */
export function htmlOf(markdown: string, resolve: Resolve): string {
  const parts: string[] = [];
  for (let rest = markdown; rest !== ''; ) {
    const [block, render] = blocks.find(([pattern]) => startsWith(pattern, rest)) ?? [];
    const match = block?.exec(rest);
    if (!match || !render) break;
    parts.push(render(match, resolve));
    rest = rest.slice(match[0].length);
  }
  return parts.filter((part) => part !== '').join('\n');
}

const startsWith = (pattern: RegExp, text: string): boolean => pattern.exec(text)?.index === 0;
