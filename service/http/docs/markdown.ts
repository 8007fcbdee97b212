import { Marked } from 'marked';
import { escaped } from './page.ts';

/** Where a link leads, or null: its words stand alone. */
export type Resolve = (target: string) => string | null;

/** The name under which a heading is linked to, as repositories make it. */
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
  const marked = new Marked({
    // An address in a sentence is text: only what was written as a link is one.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text }) => (isComment(text) ? '' : escaped(text)),
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${escaped(anchorOf(text))}">${words}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = resolve(href);
        return address === null ? words : `<a href="${escaped(address)}">${words}</a>`;
      },
      code: ({ text }) => `<pre class="wide" tabindex="0">${escaped(text)}\n</pre>\n`,
    },
    hooks: {
      // What is wider than a phone is scrolled by itself, by keyboard too.
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return marked.parse(markdown, { async: false });
}
