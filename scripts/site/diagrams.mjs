import { createHash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';

const kinds = [
  [/^stateDiagram/, 'States'],
  [/^sequenceDiagram/, 'Sequence'],
  [/./, 'Diagram'],
];

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replaceAll(/[&<>"]/g, (sign) => signs[sign]);

/** Lines that say nothing of what happens. */
const silent =
  /^(?:%%|autonumber$|end$|direction |activate |deactivate |(?:participant|actor) |\}$)/;
const participant = /^(?:participant|actor) (\w+)(?: as (.+))?$/;
/** A node of a flowchart with its label: `A[the bank]`. */
const node = /\b(\w+)(?:\[|\(|\{)+([^\])}]+)(?:\]|\)|\})+/g;
const arrow =
  /^(\[\*\]|\w+)\s*(?:--\s(.+?)\s)?(?:-->>|->>|-->|--\)|-\)|--x|-x|==>|-\.->)[+-]?\s*(?:\|(.+?)\|)?\s*(\[\*\]|\w+)(?:\s*:\s*(.*))?$/;

/** What the picture shows, for those who do not see it: `created to pending: submit; …`. */
function descriptionOf(source) {
  const names = new Map([['[*]', 'outside']]);
  const nameOf = (id) => names.get(id) ?? id;
  const lines = source
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replaceAll(/<br ?\/?>/g, ' '));
  for (const line of lines) {
    const [, id, name] = participant.exec(line) ?? [];
    if (id) names.set(id, name ?? id);
  }
  return lines
    .filter((line) => line !== '' && !silent.test(line))
    .map((line) =>
      line.replaceAll(node, (_, id, label) => {
        names.set(id, label.replaceAll('"', ''));
        return id;
      }),
    )
    .map((line) => {
      const [, from, before, within, to, after] = arrow.exec(line) ?? [];
      if (from === undefined) return nameOf(line).replace(/^Note [^:]+: /, 'note: ');
      const said = before ?? within ?? after;
      return `${nameOf(from)} to ${nameOf(to)}${said ? `: ${said}` : ''}`;
    })
    .join('; ');
}

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
