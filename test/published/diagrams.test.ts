import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Drawing } from '../../web/ui/drawing/drawing.ts';
import { labelWidth, nameWidth } from '../../web/ui/drawing/letters.ts';
import { drawMermaid } from '../../web/ui/drawing/mermaid.ts';
import { figureText } from '../../web/ui/drawing/svg.ts';

/** How the site draws the diagrams of its texts (rules/docs-site#7). */

const docs = fileURLToPath(new URL('../../docs', import.meta.url));

const sequence = `sequenceDiagram
  participant C as Customer
  participant P as Tenant Payments
  C->>+P: confirms with the PIN
  P-->>-C: completed
  Note over C,P: both have a receipt
  P--)C: letter`;

const flow = `flowchart LR
  A[Bank] -->|load| B(Digital Account)
  B -- enough --> C{paid?}
  class B main`;

const states = `stateDiagram-v2
  [*] --> created: create
  created --> created: read_again
  created --> [*]`;

const told = (source: string) =>
  drawMermaid(source).drawing.told.map(({ head, lines }) => [head, ...lines].join('; '));

test.each([
  [
    sequence,
    [
      'Customer to Tenant Payments; confirms with the PIN',
      'Tenant Payments to Customer; completed',
      'Note; both have a receipt',
      'Tenant Payments to Customer; letter',
    ],
  ],
  [flow, ['Bank; load: to Digital Account', 'Digital Account; enough: to paid?', 'paid?']],
  [states, ['outside; create: to created', 'created; read again: stays']],
])('a diagram is told in words by the names that it shows', (source, words) => {
  expect(told(source)).toEqual(words);
});

test('a line that cannot be drawn ends the build, so that no picture lacks one', () => {
  for (const line of ['A ~~> B', 'loop each day', 'A->>Z: who is Z?'])
    expect(() => drawMermaid(`sequenceDiagram\n  participant A\n  ${line}`)).toThrow(line);
  expect(() => drawMermaid('pie\n  "a": 1')).toThrow('pie');
});

test('a diagram brings no style, no script and no address, and no markup of its text', () => {
  const { drawing } = drawMermaid(sequence.replace('letter', 'a <b> "letter"'));
  const html = figureText(drawing, 'One <b>');
  expect(html).not.toMatch(/<style|<script| style=| id=|https?:/);
  expect(html).toContain('aria-label="One &lt;b&gt;"');
  expect(html.match(/a &lt;b&gt; &quot;letter&quot;/g)?.length).toBe(2);
});

const everyDiagram = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(join(docs, name), 'utf8').matchAll(/^```mermaid\n(.*?)^```$/gms)].map(
      ([, source = ''], at) => [`${name}, ${at + 1}`, source] as const,
    ),
  );

/** Texts that are wider than the room between the edges of the drawing that they stand in. */
function overflowing({ width, height, parts }: Drawing): unknown[] {
  return parts.flatMap(({ kind, shapes }) =>
    shapes
      .filter(({ tag }) => tag === 'text')
      .filter(({ attributes: { x, y, class: small }, text = '' }) => {
        const wide = (kind === 'box' && !small ? nameWidth(text) : labelWidth(text)) / 2;
        const [middle, base] = [Number(x), Number(y)];
        return middle - wide < 0 || middle + wide > width || base > height;
      }),
  );
}

test.each(everyDiagram)(
  'no text leaves the drawing of %s, which a page has room for',
  (_, source) => {
    const { drawing } = drawMermaid(source);
    expect(overflowing(drawing)).toEqual([]);
    expect(drawing.width).toBeLessThanOrEqual(720);
  },
);

test('a label is as wide as the way between two lifelines allows, and has lines for the rest', () => {
  const linesFor = (label: string) =>
    drawMermaid(`sequenceDiagram\n  participant C\n  participant P\n  C->>P: ${label}`)
      .drawing.parts.filter(({ kind }) => kind === 'arrow')
      .flatMap(({ shapes }) => shapes.flatMap(({ text }) => text ?? []));
  expect(linesFor('created')).toEqual(['created']);
  expect(linesFor('payment.completed, payment_request.paid')).toEqual([
    'payment.completed,',
    'payment_request.paid',
  ]);
});
