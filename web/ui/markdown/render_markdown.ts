import type { Token, Tokens } from 'marked';

const safeLink = /^(https:\/\/|mailto:)/i;

type Part<Made> = Made | string | null;
/** Makes an element, as Preact's `h` and React's `createElement` do. */
type Make<Made> = (tag: string, props: object | null, ...children: Part<Made>[]) => Made;

/**
 * Shows Markdown as elements: never as HTML, so nothing in it can become markup.
 * @param classProp what the page's library calls the attribute `class`
 * @returns the parts of a text that was read by `tokensOf`
 */
export function markdownBy<Made>(make: Make<Made>, classProp: 'class' | 'className') {
  const inside = ({ tokens = [] }: { readonly tokens?: Token[] | undefined }): Part<Made>[] =>
    tokens.flatMap(partsOf);
  const within = (tag: string) => (token: { readonly tokens?: Token[] | undefined }) => [
    make(tag, null, ...inside(token)),
  ];
  const cell = (tag: string, props: object | null) => (token: Tokens.TableCell) =>
    make(tag, props, ...inside(token));

  const list = ({ ordered, start, items }: Tokens.List) => {
    const entries = items.map((item) => make('li', null, ...inside(item)));
    const props = ordered ? { start: Number(start) || 1 } : null;
    return [make(ordered ? 'ol' : 'ul', props, ...entries)];
  };
  const table = ({ header, rows }: Tokens.Table) => {
    const head = make('tr', null, ...header.map(cell('th', { scope: 'col' })));
    const body = rows.map((cells) => make('tr', null, ...cells.map(cell('td', null))));
    const whole = make('table', null, make('thead', null, head), make('tbody', null, ...body));
    // A wide table scrolls by keyboard too.
    return [make('div', { [classProp]: 'wide', tabIndex: 0 }, whole)];
  };
  const link = (token: Tokens.Link) => {
    if (!safeLink.test(token.href)) return inside(token);
    const props = { href: token.href, target: '_blank', rel: 'noopener noreferrer' };
    return [make('a', props, ...inside(token))];
  };

  /** How each kind of token is shown. What is not named here, HTML above all, is shown as text. */
  const pieces: Readonly<Record<string, (token: never) => Part<Made>[]>> = {
    space: () => [],
    def: () => [],
    hr: () => [make('hr', null)],
    br: () => [make('br', null)],
    heading: (token: Tokens.Heading) => within(token.depth > 2 ? 'h3' : 'h2')(token),
    paragraph: within('p'),
    blockquote: within('blockquote'),
    list,
    table,
    link,
    strong: within('strong'),
    em: within('em'),
    del: within('del'),
    codespan: ({ text }: Tokens.Codespan) => [make('code', null, text)],
    code: ({ text }: Tokens.Code) => [make('pre', null, text)],
    escape: ({ text }: Tokens.Escape) => [text],
    image: ({ text }: Tokens.Image) => [text],
    text: (token: Tokens.Text) => (token.tokens ? inside(token) : [token.text]),
  };

  function partsOf(token: Token): Part<Made>[] {
    const show = pieces[token.type] as ((token: Token) => Part<Made>[]) | undefined;
    return show ? show(token) : [token.raw];
  }
  return (tokens: readonly Token[]): Part<Made>[] => tokens.flatMap(partsOf);
}
