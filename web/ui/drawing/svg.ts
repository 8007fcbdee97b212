import { classOf, type Drawing, fitClass, type Part, type Shape } from './drawing.ts';

/** A drawing as text, for the pages of the site, which are made when it is built. */

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);

function shapeText({ tag, attributes, text }: Shape): string {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${given.join('')}>${escaped(text ?? '')}</${tag}>`;
}

const partText = (part: Part): string =>
  `<g class="${classOf(part)}">${part.shapes.map(shapeText).join('')}</g>`;

/** The figure with its words, of which `drawing.css` shows what can be read. @param title what it is a picture of */
export function figureText(drawing: Drawing, title: string): string {
  const { width, height, parts, told } = drawing;
  const svg = `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${parts.map(partText).join('')}</svg>`;
  const words = told.map(({ head, lines }) => {
    const below = lines.map((line) => `<li>${escaped(line)}</li>`).join('');
    return `<li><b>${escaped(head)}</b>${below && `<ul>${below}</ul>`}</li>`;
  });
  return `<figure class="drawing" aria-label="${escaped(title)}"><div class="drawing-fit ${fitClass(drawing)}">${svg}<ol class="drawing-words">${words.join('')}</ol></div></figure>`;
}
