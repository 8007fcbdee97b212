import { drawMermaid } from '../../web/ui/drawing/mermaid.ts';
import { figureText } from '../../web/ui/drawing/svg.ts';

/** The id of a heading, as code hosts make it. */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A numbered paragraph has its number as id, so that `rules/refunds#4` is an address. */
function numberParagraphs(state) {
  const ids = new Set();
  let inOrdered = 0;
  for (const token of state.tokens) {
    if (token.type === 'ordered_list_open') inOrdered += 1;
    if (token.type === 'ordered_list_close') inOrdered -= 1;
    const isNumbered = token.type === 'list_item_open' && token.level === 1 && inOrdered === 1;
    if (!isNumbered || ids.has(token.info)) continue;
    ids.add(token.info);
    token.attrSet('id', token.info);
  }
}

/** Files that are copied as they are have the same address in each form of the page. */
const pictureAt = (src, place) =>
  /^[a-z]+:/.test(src) ? src : new URL(src, `http://site/${place}`).pathname;

/** A picture that was also taken in dark, under the same name (`npm run shots`). */
const light = '.light.webp';

/** A Mermaid diagram as the site shows it. @param title what it is a picture of */
export function figureOf(source, title) {
  const { kind, drawing } = drawMermaid(source);
  return `${figureText(drawing, `${kind}: ${title}`)}\n`;
}

/** The site's additions to VitePress's Markdown. */
export function extendMarkdown(md) {
  md.core.ruler.disable('emoji');
  md.core.ruler.push('number_paragraphs', numberParagraphs);
  const { fence, image } = md.renderer.rules;
  const drawn = new Map();
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, options, env, self);
    const before = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open');
    const title = tokens[before + 1]?.content ?? '';
    const svg = drawn.get(content) ?? figureOf(content, title);
    drawn.set(content, svg);
    return svg;
  };
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const src = pictureAt(token.attrGet('src') ?? '', env.relativePath ?? '');
    const show = (at, classes) => {
      token.attrSet('src', at);
      if (classes) token.attrSet('class', classes);
      return image(tokens, index, options, env, self);
    };
    if (!src.endsWith(light)) return show(src);
    return `${show(src, 'only-light')}${show(src.replace(light, '.dark.webp'), 'only-dark')}`;
  };
}
