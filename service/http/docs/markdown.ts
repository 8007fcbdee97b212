import { Marked } from 'marked';
import { escaped } from './page.ts';

/** The target of a link; null: its text is shown without a link. */
export type Resolve = (target: string) => string | null;

/** The id of a heading, as code hosts make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const isComment = (text: string): boolean => text.startsWith('<!--');

/**
 * A text of the repository as HTML.
 * @param resolve of each link's target
 * @returns HTML in which nothing of the text is markup
 */
export function htmlOf(markdown: string, resolve: Resolve): string {
  const ids = new Set<number>();
  /** How many numbered lists hold the one that is rendered. */
  let depth = 0;
  const marked = new Marked({
    // A bare address is text: only a Markdown link is a link.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text }) => (isComment(text) ? '' : escaped(text)),
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${escaped(anchorOf(text))}">${words}</h${depth}>\n`;
      },
      // A numbered paragraph has its number as id, so that `rules/refunds#4` is an address.
      list({ ordered, start, items }) {
        if (!ordered) return false;
        const first = Number(start) || 1;
        depth += 1;
        const entries = items.map((item) => this.listitem(item));
        depth -= 1;
        const numbered = entries.map((entry, index) => {
          const id = first + index;
          if (depth > 0 || ids.has(id)) return entry;
          ids.add(id);
          return entry.replace('<li>', `<li id="${id}">`);
        });
        return `<ol start="${first}">\n${numbered.join('')}</ol>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = resolve(href);
        return address === null ? words : `<a href="${escaped(address)}">${words}</a>`;
      },
      image: ({ href, text }) =>
        `<img src="${escaped(resolve(href) ?? href)}" alt="${escaped(text)}" loading="lazy">`,
      code: ({ text }) => `<pre class="wide" tabindex="0">${escaped(text)}\n</pre>\n`,
    },
    hooks: {
      // A wide table scrolls by itself on a narrow screen, by keyboard too.
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return marked.parse(markdown, { async: false });
}
