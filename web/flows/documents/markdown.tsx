import { Marked, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

/** A bare address is text, as in the other pages that show Markdown. */
const marked = new Marked({ tokenizer: { url: () => undefined } });

const safeLink = /^(https:\/\/|mailto:)/i;

const inside = (token: { readonly tokens?: Token[] | undefined }): ComponentChildren =>
  token.tokens?.map(Piece);

function List({ ordered, start, items }: Tokens.List) {
  const entries = items.map((item, index) => <li key={index}>{inside(item)}</li>);
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function Table({ header, rows }: Tokens.Table) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keyboard too
    <div class="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {inside(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) => (
                <td key={index}>{inside(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Link({ href, tokens }: Tokens.Link) {
  if (!safeLink.test(href)) return <>{inside({ tokens })}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {inside({ tokens })}
    </a>
  );
}

/** How each kind of token is shown. What is not named here, HTML above all, is shown as text. */
const pieces: Readonly<Record<string, (token: never) => ComponentChildren>> = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  br: () => <br />,
  heading: (token: Tokens.Heading) =>
    token.depth > 2 ? <h3>{inside(token)}</h3> : <h2>{inside(token)}</h2>,
  paragraph: (token: Tokens.Paragraph) => <p>{inside(token)}</p>,
  blockquote: (token: Tokens.Blockquote) => <blockquote>{inside(token)}</blockquote>,
  list: List,
  table: Table,
  link: Link,
  strong: (token: Tokens.Strong) => <strong>{inside(token)}</strong>,
  em: (token: Tokens.Em) => <em>{inside(token)}</em>,
  del: (token: Tokens.Del) => <del>{inside(token)}</del>,
  codespan: ({ text }: Tokens.Codespan) => <code>{text}</code>,
  code: ({ text }: Tokens.Code) => <pre>{text}</pre>,
  escape: ({ text }: Tokens.Escape) => text,
  image: ({ text }: Tokens.Image) => text,
  text: (token: Tokens.Text) => (token.tokens ? inside(token) : token.text),
};

function Piece(token: Token): ComponentChildren {
  const show = pieces[token.type] as ((token: Token) => ComponentChildren) | undefined;
  return show ? show(token) : token.raw;
}

/** A text in Markdown as elements: never as HTML, so nothing in it can become markup. */
export function Markdown({ text }: { readonly text: string }) {
  return <>{marked.lexer(text).map(Piece)}</>;
}
