import { Group, Text } from '@mantine/core';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Edge } from './layers.ts';
import { type DrawnEdge, layout, lineHeight, type Rectangle } from './layout.ts';

type Move = LifecycleTable['moves'][number];

interface LifecycleProps {
  readonly table: LifecycleTable;
  /** Where a record is; absent: the table itself is shown. */
  readonly state?: string | null;
  /** States that it has passed. */
  readonly passed?: ReadonlySet<string>;
}

/** Where records begin. */
const dot = 'new';
const plain = (name: string) => name.replaceAll('_', ' ');

/** One edge for all moves from one state to another. */
function edgesOf({ moves }: LifecycleTable): Edge[] {
  const edges = new Map<string, Edge & { lines: string[] }>();
  for (const { name, from, to, by } of moves) {
    if (to === null) continue;
    for (const state of from ?? [dot]) {
      if (state === to) continue;
      const key = `${state} ${to}`;
      const edge = edges.get(key) ?? { from: state, to, lines: [] };
      edge.lines.push(`${plain(name)} (${by.join(', ')})`);
      edges.set(key, edge);
    }
  }
  return [...edges.values()];
}

const longestNote = 28;

/** Words in lines, so that a state is not wider than its neighbours. */
function linesOf(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 2 > longestNote) lines.push(word);
    else lines[lines.length - 1] = last.endsWith(':') ? `${last} ${word}` : `${last}, ${word}`;
  }
  return lines;
}

/** Moves that stay where they are, in lines, by state. */
function stayingOf({ moves }: LifecycleTable): ReadonlyMap<string, readonly string[]> {
  const staying = new Map<string, Move[]>();
  for (const move of moves)
    for (const state of move.from ?? [])
      if (move.to === null || move.to === state)
        staying.set(state, [...(staying.get(state) ?? []), move]);
  return new Map(
    [...staying].map(([state, own]) => [
      state,
      linesOf(['stays:', ...own.map(({ name }) => plain(name))]),
    ]),
  );
}

/** The states that can still be reached. */
function reachable({ moves }: LifecycleTable, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const state of found)
    for (const { from: begins, to } of moves) if (to && begins?.includes(state)) found.add(to);
  return found;
}

/** Smaller, and its words cannot be read: then it scrolls. */
const smallest = 0.75;

/** Whether more is there than the frame shows. */
function useCut(frame: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() =>
      setCut(current.scrollWidth > current.clientWidth + 1),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [frame]);
  return isCut;
}

/** A resource's states and moves, drawn from top to bottom; as a list for a screen reader. */
export function Lifecycle({ table, state = null, passed = new Set() }: LifecycleProps) {
  const staying = useMemo(() => stayingOf(table), [table]);
  const drawing = useMemo(
    () => layout([dot, ...table.states], edgesOf(table), { dot, noted: staying }),
    [table, staying],
  );
  const ahead = state === null ? null : reachable(table, state);
  const marks = (name: string): string => {
    if (name === state) return 'is-now';
    if (passed.has(name)) return 'is-passed';
    return ahead === null || ahead.has(name) ? '' : 'is-over';
  };
  const edgeMark = ({ edge: { from, to } }: DrawnEdge): string => {
    if (from === state) return 'is-next';
    return ahead === null || (ahead.has(from) && ahead.has(to)) ? '' : 'is-over';
  };
  const frame = useRef<HTMLElement>(null);
  const isCut = useCut(frame);
  const now = drawing.nodes.get(state ?? dot);
  useEffect(() => {
    // On a narrow window: where the record is.
    const { current } = frame;
    if (!current || !now) return;
    const scale = current.scrollWidth / drawing.width;
    current.scrollLeft = now.x * Math.min(1, scale) - current.clientWidth / 2;
  }, [now, drawing]);
  const framed = isCut ? 'lifecycle-frame is-cut' : 'lifecycle-frame';
  const title = `Lifecycle of a ${plain(table.resource)}`;
  return (
    <figure className="lifecycle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1) */}
      <section ref={frame} className={framed} tabIndex={0} aria-label={title}>
        <svg
          style={{ maxWidth: drawing.width, minWidth: drawing.width * smallest }}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          aria-hidden="true"
        >
          {drawing.edges.map((drawn) => (
            <Arrow
              key={`${drawn.edge.from} ${drawn.edge.to}`}
              drawn={drawn}
              mark={edgeMark(drawn)}
            />
          ))}
          {[...drawing.nodes].map(([name, place]) => (
            <State
              key={name}
              name={name}
              place={place}
              mark={marks(name)}
              notes={staying.get(name) ?? []}
            />
          ))}
        </svg>
        <AsList table={table} state={state} passed={passed} />
      </section>
      {isCut && (
        <Text size="xs" c="dimmed" ta="center" mt={4} aria-hidden="true">
          Scroll sideways to see all of it
        </Text>
      )}
      {state !== null && <Legend />}
    </figure>
  );
}

interface StateProps {
  readonly name: string;
  readonly place: Rectangle;
  readonly mark: string;
  /** Its moves that stay, line by line. */
  readonly notes: readonly string[];
}

function State({ name, place: { x, y, width, height }, mark, notes }: StateProps) {
  const left = x - width / 2;
  const top = y - height / 2;
  return (
    <g className={`lifecycle-state ${mark}`}>
      {name === dot ? (
        <circle cx={x} cy={y} r={width / 2} />
      ) : (
        <>
          <rect x={left} y={top} width={width} height={height} rx={8} />
          {mark === 'is-passed' && <path d={`M${left + 7} ${y} l4 4 l6 -8`} />}
          <text x={x} y={top + 21}>
            {plain(name)}
          </text>
          {notes.map((line, at) => (
            <text key={line} x={x} y={top + 37 + at * lineHeight} className="lifecycle-note">
              {line}
            </text>
          ))}
        </>
      )}
    </g>
  );
}

function Arrow({ drawn: { edge, path, tip, label }, mark }: { drawn: DrawnEdge; mark: string }) {
  const side = tip.up ? tip.y + 8 : tip.y - 8;
  const top = label.y - label.height / 2;
  return (
    <g className={`lifecycle-move ${mark}`}>
      <path d={path} />
      <polygon points={`${tip.x},${tip.y} ${tip.x - 5},${side} ${tip.x + 5},${side}`} />
      <rect
        x={label.x - label.width / 2}
        y={top}
        width={label.width}
        height={label.height}
        rx={4}
      />
      {edge.lines.map((line, at) => (
        <text key={line} x={label.x} y={top + 13 + at * lineHeight}>
          {line}
        </text>
      ))}
    </g>
  );
}

/** The same in words. */
function AsList({ table, state, passed }: Required<LifecycleProps>) {
  const words = (name: string) => (name === state ? ', now' : passed.has(name) ? ', passed' : '');
  return (
    <ul className="unseen">
      {table.states.map((name) => (
        <li key={name}>
          {plain(name)}
          {words(name)}
          <ul>
            {table.moves
              .filter(({ from }) => from?.includes(name))
              .map((move) => (
                <li key={move.name}>
                  {plain(move.name)} by {move.by.join(' or ')}:{' '}
                  {move.to === null ? 'stays' : `to ${plain(move.to)}`}
                </li>
              ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const Legend = () => (
  <Group component="figcaption" gap="md" mt={4}>
    {[
      ['is-now', 'now'],
      ['is-passed', 'passed'],
      ['is-next', 'possible next'],
      ['is-over', 'out of reach'],
    ].map(([mark, text]) => (
      <Text key={mark} size="xs" c="dimmed" component="span">
        <span className={`lifecycle-key ${mark}`} aria-hidden="true" /> {text}
      </Text>
    ))}
  </Group>
);
