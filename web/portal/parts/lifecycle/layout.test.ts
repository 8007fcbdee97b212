import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { describe, expect, test } from 'vitest';
import type { Edge } from './layers.ts';
import { layout, type Rectangle } from './layout.ts';

const tables = Object.values(lifecycles).map(({ resource, states, moves }) => {
  const pairs = Object.entries<Move>(moves).flatMap(([name, { from, to }]) =>
    (from === 'new' ? ['new'] : from).map((state) => ({ name, from: state, to })),
  );
  const edges = new Map<string, Edge & { lines: string[] }>();
  for (const { name, from, to } of pairs) {
    if (to === 'same' || to === from) continue;
    const edge = edges.get(`${from} ${to}`) ?? { from, to, lines: [] };
    edge.lines.push(name);
    edges.set(`${from} ${to}`, edge);
  }
  return [resource, [...states] as string[], [...edges.values()]] as const;
});

const overlap = (a: Rectangle, b: Rectangle) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

describe.each(tables)('the drawing of a %s', (_resource, states, edges) => {
  const drawing = layout(['new', ...states], edges, { dot: 'new', noted: new Map() });
  const boxes = [...drawing.nodes.values(), ...drawing.edges.map(({ label }) => label)];

  test('has every state and every move', () => {
    expect([...drawing.nodes.keys()].sort()).toEqual(['new', ...states].sort());
    expect(drawing.edges.map(({ edge }) => edge)).toEqual(edges);
  });

  test('has no state or text over another', () => {
    const over = boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => overlap(a, b)));
    expect(over).toEqual([]);
  });

  test('lies within its frame', () => {
    for (const { x, y, width, height } of boxes) {
      expect(x - width / 2).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(drawing.width);
      expect(y - height / 2).toBeGreaterThanOrEqual(0);
      expect(y + height / 2).toBeLessThanOrEqual(drawing.height);
    }
  });

  test('points each arrow at the state that its move leads to', () => {
    for (const { edge, tip } of drawing.edges) {
      const to = drawing.nodes.get(edge.to);
      const y = (to?.y ?? 0) + (tip.up ? 1 : -1) * ((to?.height ?? 0) / 2);
      expect([edge.from, edge.to, tip.y]).toEqual([edge.from, edge.to, y]);
      expect(Math.abs(tip.x - (to?.x ?? 0))).toBeLessThanOrEqual((to?.width ?? 0) / 2);
    }
  });
});
