import { Group, Text } from '@mantine/core';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import { useEffect, useMemo, useRef } from 'react';
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

/** Moves that stay where they are, by state. */
function stayingOf({ moves }: LifecycleTable): ReadonlyMap<string, readonly Move[]> {
  const staying = new Map<string, Move[]>();
  for (const move of moves)
    for (const state of move.from ?? [])
      if (move.to === null || move.to === state)
        staying.set(state, [...(staying.get(state) ?? []), move]);
  return staying;
}

/** The states that can still be reached. */
function reachable({ moves }: LifecycleTable, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const state of found)
    for (const { from: begins, to } of moves) if (to && begins?.includes(state)) found.add(to);
  return found;
}

/** A resource's states and moves, drawn from top to bottom; as a list for a screen reader. */
export function Lifecycle({ table, state = null, passed = new Set() }: LifecycleProps) {
  const staying = useMemo(() => stayingOf(table), [table]);
  const drawing = useMemo(
    () => layout([dot, ...table.states], edgesOf(table), { dot, noted: new Set(staying.keys()) }),
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
  const now = state === null ? undefined : drawing.nodes.get(state);
  useEffect(() => {
    // On a narrow window: where the record is.
    if (frame.current && now) frame.current.scrollLeft = now.x - frame.current.clientWidth / 2;
  }, [now]);
  const title = `Lifecycle of a ${plain(table.resource)}`;
  return (
    <figure className="lifecycle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1) */}
      <section ref={frame} className="lifecycle-frame" tabIndex={0} aria-label={title}>
        <svg
          width={drawing.width}
          height={drawing.height}
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
              note={(staying.get(name) ?? []).map((move) => plain(move.name)).join(', ')}
            />
          ))}
        </svg>
        <AsList table={table} state={state} passed={passed} />
      </section>
      {state !== null && <Legend />}
    </figure>
  );
}

interface StateProps {
  readonly name: string;
  readonly place: Rectangle;
  readonly mark: string;
  /** Its moves that stay. */
  readonly note: string;
}

function State({ name, place: { x, y, width, height }, mark, note }: StateProps) {
  const left = x - width / 2;
  return (
    <g className={`lifecycle-state ${mark}`}>
      {name === dot ? (
        <circle cx={x} cy={y} r={width / 2} />
      ) : (
        <>
          <rect x={left} y={y - height / 2} width={width} height={height} rx={8} />
          {mark === 'is-passed' && <path d={`M${left + 7} ${y} l4 4 l6 -8`} />}
          <text x={x} y={note === '' ? y + 4 : y - 4}>
            {plain(name)}
          </text>
          {note !== '' && (
            <text x={x} y={y + 14} className="lifecycle-note">
              stays: {note}
            </text>
          )}
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
