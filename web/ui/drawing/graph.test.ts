import type { Move as Step } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { describe, expect, test } from 'vitest';
import type { Part } from './drawing.ts';
import { drawGraph, type Move, type Node } from './graph.ts';
import { labelWidth, nameWidth } from './letters.ts';

const listOf = (by: string | readonly string[]) => [by].flat();

const tables = Object.values(lifecycles).map(({ resource, states, moves }) => {
  const found = Object.entries<Step>(moves).flatMap(([name, { from, to, by }]) =>
    (from === 'new' ? ['new'] : from).map(
      (state): Move => ({
        from: state,
        to: to === 'same' ? state : to,
        label: `${name}\n(${listOf(by).join(', ')})`,
      }),
    ),
  );
  return [resource, [...states] as string[], found] as const;
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box of a part, or the ground of its label. */
const framesOf = ({ shapes }: Part): Box[] =>
  shapes.filter(({ tag }) => tag === 'rect').map(({ attributes }) => attributes as unknown as Box);

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe.each(tables)('the drawing of a %s', (_resource, states, moves) => {
  const nodes: Node[] = states.map((id) => ({ id, name: [id] }));
  const start: Node = { id: 'new', name: ['new'], look: 'start' };
  const drawing = drawGraph([start, ...nodes], moves);
  const frames = drawing.parts.flatMap(framesOf);

  test('has every state and every move', () => {
    const boxes = drawing.parts.filter(({ kind }) => kind === 'box').map(({ from }) => from);
    expect(boxes.sort()).toEqual(['new', ...states].sort());
    const leading = moves.filter(({ from, to }) => from !== to);
    const arrows = drawing.parts.filter(({ kind }) => kind === 'arrow');
    expect(new Set(arrows.map(({ from, to }) => `${from} ${to}`))).toEqual(
      new Set(leading.map(({ from, to }) => `${from} ${to}`)),
    );
    const told = drawing.told.flatMap(({ lines }) => lines);
    expect(told.length).toBe(moves.length);
  });

  test('has no state or text over another', () => {
    const over = frames.flatMap((a, at) => frames.slice(at + 1).filter((b) => overlap(a, b)));
    expect(over).toEqual([]);
  });

  test('has no text that is wider than its box, and no box that leaves the drawing', () => {
    for (const part of drawing.parts) {
      const [frame] = framesOf(part);
      if (!frame) continue;
      expect(frame.x).toBeGreaterThanOrEqual(0);
      expect(frame.y).toBeGreaterThanOrEqual(0);
      expect(frame.x + frame.width).toBeLessThanOrEqual(drawing.width);
      expect(frame.y + frame.height).toBeLessThanOrEqual(drawing.height);
      for (const { tag, text = '', attributes } of part.shapes) {
        if (tag !== 'text') continue;
        const isName = part.kind === 'box' && attributes.class === undefined;
        const width = isName ? nameWidth(text) : labelWidth(text);
        expect([text, width <= frame.width]).toEqual([text, true]);
        expect(attributes.y).toBeGreaterThan(frame.y);
        expect(attributes.y).toBeLessThan(frame.y + frame.height);
      }
    }
  });

  test('points each arrow at the state that its move leads to', () => {
    const boxes = new Map(
      drawing.parts.filter(({ kind }) => kind === 'box').map((part) => [part.from, part]),
    );
    for (const { kind, to, shapes } of drawing.parts) {
      if (kind !== 'arrow') continue;
      const points = shapes.find(({ tag }) => tag === 'polygon')?.attributes.points;
      const [x = 0, y = 0] = String(points).split(' ').map(Number);
      const [frame] = framesOf(boxes.get(to ?? '') as Part);
      if (!frame) continue;
      expect([frame.y, frame.y + frame.height]).toContain(y);
      expect(x).toBeGreaterThanOrEqual(frame.x);
      expect(x).toBeLessThanOrEqual(frame.x + frame.width);
    }
  });
});
