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
  const marked = new Marked({
    // A bare address is text: only a Markdown link is a link.
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
      // A wide table scrolls by itself on a narrow screen, by keyboard too.
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return marked.parse(markdown, { async: false });
}
