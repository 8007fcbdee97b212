import { expect, test } from 'vitest';

/** How the site draws the diagrams of its texts (rules/docs-site#7). */

const from = new URL('../../scripts/site/diagrams.mjs', import.meta.url).href;
const { diagram }: { diagram(source: string, title: string): string } = await import(from);

const sequence = `sequenceDiagram
  participant C as Customer
  participant P as Tenant Payments
  C->>+P: confirms with the PIN
  P-->>-C: completed
  Note over C,P: both have a receipt
  P--)C: letter`;

const flow = `flowchart LR
  A[Bank] -->|load| B(Digital Account)
  B -- enough --> C{paid?}`;

const states = `stateDiagram-v2
  [*] --> created: create
  created --> [*]`;

const toldOf = (svg: string) => /<desc[^>]*>(.*?)<\/desc>/.exec(svg)?.[1];

test.each([
  [
    sequence,
    'Customer to Tenant Payments: confirms with the PIN; Tenant Payments to Customer: completed; note: both have a receipt; Tenant Payments to Customer: letter',
  ],
  [flow, 'Bank to Digital Account: load; Digital Account to paid?: enough'],
  [states, 'outside to created: create; created to outside'],
])('a diagram is told in words by the names that it shows', (source, words) => {
  expect(toldOf(diagram(source, 'A title'))).toBe(words);
});

test('a diagram brings no style, no script and no address, and its ids are its own', () => {
  const [one, other] = [
    diagram(sequence, 'One <b>'),
    diagram(`${sequence}\n  C->>P: more`, 'Other'),
  ];
  for (const svg of [one, other])
    expect(svg).not.toMatch(/<style|<script| style=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  expect(one).toContain('One &lt;b&gt;');
  const idsOf = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(idsOf(one).length).toBeGreaterThan(2);
  expect(idsOf(one).filter((id) => idsOf(other).includes(id))).toEqual([]);
  for (const [, id] of one.matchAll(/url\(#([^)]+)\)/g)) expect(idsOf(one)).toContain(id);
});

test('a long label of an arrow takes two lines, of which the second is where a short one is', () => {
  const withLabel = (label: string) =>
    diagram(`sequenceDiagram\n  participant C\n  participant P\n  C->>P: ${label}`, 'A title');
  const linesOf = (svg: string) =>
    [...svg.matchAll(/<tspan[^>]*>(.*?)<\/tspan>/g)].map(([, t]) => t);
  const long = withLabel('payment.completed, payment_request.paid');
  expect(linesOf(long)).toEqual(['payment.completed,', 'payment_request.paid']);
  expect(linesOf(withLabel('created'))).toEqual([]);
  const dys = [...long.matchAll(/<tspan[^>]* dy="(-?[\d.]+)"/g)].map(([, dy]) => Number(dy));
  const [, single] = /dy="([\d.]+)">created/.exec(withLabel('created')) ?? [];
  expect(dys.reduce((sum, dy) => sum + dy)).toBeCloseTo(Number(single));
  expect(toldOf(long)).toBe('C to P: payment.completed, payment_request.paid');
});
