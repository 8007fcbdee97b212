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

/** The description of a picture, for those who do not see it: `created to pending: submit; …`. */
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

/** The number of letters between two lifelines, and between a loop and the next lifeline. */
const laneLetters = 23;
const loopLetters = 18;
/** A label of one line is above its arrow; one of two is drawn around that place, over the arrow. */
const halfLine = 7.15;
/** The space that a second line wants above the first arrow. */
const boxesUp = 14;
const message = /^(\s*(\w+)\s*-{1,2}(?:>>|\)|x)[+-]?\s*(\w+)\s*:\s*)(.+)$/;

/** A text in two lines, as even as its words allow. */
function inTwoLines(text) {
  const breaks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const longest = (at) => Math.max(at, text.length - at - 1);
  const [best] = breaks.sort((a, b) => longest(a) - longest(b));
  return best === undefined ? text : `${text.slice(0, best)}<br>${text.slice(best + 1)}`;
}

/** A text in lines of so many letters, broken between words. */
const inLines = (text, letters) =>
  text.replaceAll(new RegExp(`(?=.{${letters},})(.{1,${letters}}) `, 'g'), '$1<br>');

/** The same with long labels of arrows in several lines, so that few lie across another's line. */
function withShortLabels(source) {
  const order = [...source.matchAll(/^\s*(?:participant|actor) (\w+)/gm)].map(([, id]) => id);
  const short = (line) => {
    const [, head, from, to, label] = message.exec(line) ?? [];
    if (label === undefined) return line;
    if (from === to) return `${head}${inLines(label, loopLetters)}`;
    const lanes = Math.max(1, Math.abs(order.indexOf(from) - order.indexOf(to)));
    return label.length > laneLetters * lanes ? `${head}${inTwoLines(label)}` : line;
  };
  return source.split('\n').map(short).join('\n');
}

/** Labels of two lines end where those of one line do, and the boxes of who takes part leave room for them. */
const raised = (svg) =>
  svg
    .replaceAll(/<g class="message"[^>]*data-self="false">[\s\S]*?<\/g>/g, (arrowAndLabel) =>
      arrowAndLabel.replace(
        /(<tspan [^>]*dy=")(-?[\d.]+)/,
        (_, head, dy) => `${head}${Number(dy) - halfLine}`,
      ),
    )
    .replaceAll('<g class="actor"', `<g class="actor" transform="translate(0 -${boxesUp})"`)
    .replaceAll(
      /(<line class="lifeline"[^>]* y1=")([\d.]+)/g,
      (_, head, y) => `${head}${Number(y) - boxesUp}`,
    );

/**
 * A Mermaid diagram as inline SVG without a style of its own: colors and fonts are in `diagrams.css`, and
 * its ids are its own, so that a page may hold several.
 * @param title what it is a picture of
 */
export function diagram(source, title) {
  const kind = kinds.find(([form]) => form.test(source.trim()))[1];
  const id = `d${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
  const drawn = renderMermaidSVG(withShortLabels(source), { transparent: true, padding: 12 });
  const svg = raised(drawn)
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
