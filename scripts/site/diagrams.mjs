import { createHash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';

const kinds = [
  [/^stateDiagram/, 'States'],
  [/^sequenceDiagram/, 'Sequence'],
  [/./, 'Diagram'],
];

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replaceAll(/[&<>"]/g, (sign) => signs[sign]);

/** A move or message in words: `created --> pending: submit` → `created to pending: submit`. */
const inWords = (line) =>
  line
    .replaceAll('[*]', 'outside')
    .replace(/\s*(?:--?>>?|->>|-->>|==>|-\.->|--[x)])[+-]?\s*(?:\|([^|]*)\|)?\s*/g, ' to ')
    .trim();

/** What the picture shows, for those who do not see it. */
const descriptionOf = (source) =>
  source
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'))
    .map(inWords)
    .join('; ');

/**
 * A Mermaid diagram as inline SVG without a style of its own: colors and fonts are in `diagrams.css`, and
 * its ids are its own, so that a page may hold several.
 * @param title what it is a picture of
 */
export function diagram(source, title) {
  const kind = kinds.find(([form]) => form.test(source.trim()))[1];
  const id = `d${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
  const svg = renderMermaidSVG(source, { transparent: true, padding: 12 })
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/ style="[^"]*"/, ` role="img" aria-labelledby="${id}-t ${id}-d"`)
    .replaceAll(/ id="([^"]+)"/g, ` id="${id}-$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${id}-$1)`)
    .replaceAll(/ data-[\w-]+="[^"]*"/g, '')
    .replaceAll(/\n\s*/g, '')
    .replace(
      '>',
      `><title id="${id}-t">${kind}: ${escaped(title)}</title><desc id="${id}-d">${escaped(descriptionOf(source))}</desc>`,
    );
  return `<div class="diagram" tabindex="0" role="group" aria-label="${kind}: ${escaped(title)}">${svg}</div>\n`;
}
