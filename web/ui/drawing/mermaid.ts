import type { Drawing } from './drawing.ts';
import { drawGraph, type Move, type Node } from './graph.ts';
import { drawSequence, type Step } from './sequence.ts';

/** The part of Mermaid's language that our texts use: states, flows and sequences. */

const broken = /<br ?\/?>/g;

/** A line of a diagram that is none of ours would be missing in the drawing. */
const unknown = (line: string) => new Error(`this line of a diagram cannot be drawn: ${line}`);

const linesOf = (source: string): string[] =>
  source
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter(
      (line) => line !== '' && !/^(%%|autonumber$|direction |activate |deactivate )/.test(line),
    );

/** `[*] --> created: create`. A state from which an arrow leads to `[*]` is an end. */
function states(source: string): Drawing {
  const start = 'new';
  const names = new Set<string>();
  const ends = new Set<string>();
  const moves: Move[] = [];
  for (const line of linesOf(source)) {
    const [, from, to, label = ''] = /^(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (.+))?$/.exec(line) ?? [];
    if (from === undefined || to === undefined) throw unknown(line);
    if (to === '[*]') ends.add(from);
    else moves.push({ from: from === '[*]' ? start : from, to, label });
    for (const name of [from, to]) if (name !== '[*]') names.add(name);
  }
  const plain = (text: string) => text.replaceAll('_', ' ');
  const nodes = [...names].map(
    (id): Node => ({ id, name: [plain(id)], ...(ends.has(id) && { look: 'end' }) }),
  );
  const begin: Node = { id: start, name: ['outside'], look: 'start' };
  return drawGraph(
    [begin, ...nodes],
    moves.map((move) => ({ ...move, label: plain(move.label) })),
  );
}

/** `A[the bank] -->|load| B`, and `class A main` for what the drawing is about. */
function flow(source: string): Drawing {
  const nodes = new Map<string, Node>();
  const moves: Move[] = [];
  const put = (id: string, label: string | undefined) => {
    const known = nodes.get(id);
    if (label === undefined && known) return;
    nodes.set(id, { ...known, id, name: (label ?? id).replaceAll('"', '').split(broken) });
  };
  for (const line of linesOf(source)) {
    const [, main] = /^class (\w+) main$/.exec(line) ?? [];
    const found =
      /^(\w+)(?:[[({]{1,2}([^[\](){}]+)[\])}]{1,2})?(?: *(?:-->(?:\|([^|]+)\|)?|-- ([^-]+) -->) *(\w+)(?:[[({]{1,2}([^[\](){}]+)[\])}]{1,2})?)?$/.exec(
        line,
      );
    if (main !== undefined) {
      const node = nodes.get(main);
      if (!node) throw unknown(line);
      nodes.set(main, { ...node, look: 'main' });
      continue;
    }
    const [, from, label, within, before, to, target] = found ?? [];
    if (from === undefined) throw unknown(line);
    put(from, label);
    if (to === undefined) continue;
    put(to, target);
    moves.push({ from, to, label: (within ?? before ?? '').replaceAll(broken, '\n') });
  }
  return drawGraph([...nodes.values()], moves);
}

/** `A->>B: asks` and `B-->>A: answers`. */
function sequence(source: string): Drawing {
  const names = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of linesOf(source)) {
    const [, id, name] = /^(?:participant|actor) (\w+)(?: as (.+))?$/.exec(line) ?? [];
    const [, from, arrow = '', to, label = ''] =
      /^(\w+)(--?(?:>>|\)|x))[+-]?(\w+): (.+)$/.exec(line) ?? [];
    const [, remark] = /^Note (?:over|left of|right of) [\w, ]+: (.+)$/.exec(line) ?? [];
    if (id !== undefined) names.set(id, name ?? id);
    else if (remark !== undefined)
      steps.push({ from: null, to: null, label: remark, isReply: false });
    else if (from !== undefined && to !== undefined && names.has(from) && names.has(to))
      steps.push({
        from,
        to,
        label: label.replaceAll(broken, ' '),
        isReply: arrow.startsWith('--'),
      });
    else throw unknown(line);
  }
  return drawSequence(names, steps);
}

const kinds = [
  [/^stateDiagram/, 'States', states],
  [/^flowchart/, 'Diagram', flow],
  [/^sequenceDiagram/, 'Sequence', sequence],
] as const;

/**
 * A Mermaid diagram as a drawing, and the kind that it is.
 * @throws on a line that would be missing in it
 */
export function drawMermaid(source: string): { readonly kind: string; readonly drawing: Drawing } {
  const found = kinds.find(([form]) => form.test(source.trim()));
  if (!found) throw unknown(source.split('\n')[0] ?? '');
  return { kind: found[1], drawing: found[2](source.trim()) };
}
