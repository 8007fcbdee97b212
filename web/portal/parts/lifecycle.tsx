import { Group, Text } from '@mantine/core';
import type { LifecycleTable } from '@tenant-payments/backoffice/contract/records/lifecycles.ts';
import { createElement, useMemo } from 'react';
import {
  classOf,
  type Drawing,
  fitClass,
  type Part,
  type Shape,
} from '../../ui/drawing/drawing.ts';
import { drawGraph, type Move, type Node } from '../../ui/drawing/graph.ts';

interface LifecycleProps {
  readonly table: LifecycleTable;
  /** The present state of a record; absent: no record is shown, but the table itself. */
  readonly state?: string | null;
  /** The states that the record has passed. */
  readonly passed?: ReadonlySet<string>;
}

/** The dot at which records begin. */
const start = 'new';
const plain = (name: string) => name.replaceAll('_', ' ');

function movesOf({ moves }: LifecycleTable): Move[] {
  return moves.flatMap(({ name, from, to, by }) =>
    (from ?? [start]).map((state) => {
      const isStaying = to === null || to === state;
      return {
        from: state,
        to: to ?? state,
        label: isStaying ? plain(name) : `${plain(name)}\n(${by.join(', ')})`,
        said: `${plain(name)} by ${by.join(' or ')}`,
      };
    }),
  );
}

function drawingOf(table: LifecycleTable): Drawing {
  const left = new Set(
    table.moves.flatMap(({ from, to }) =>
      to === null ? [] : (from?.filter((one) => one !== to) ?? []),
    ),
  );
  const nodes = table.states.map(
    (id): Node => ({ id, name: [plain(id)], ...(!left.has(id) && { look: 'end' }) }),
  );
  return drawGraph([{ id: start, name: [start], look: 'start' }, ...nodes], movesOf(table));
}

/** The states that can still be reached. */
function reachable({ moves }: LifecycleTable, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const state of found)
    for (const { from: begins, to } of moves) if (to && begins?.includes(state)) found.add(to);
  return found;
}

/** A resource's states and moves, drawn from top to bottom; as a list where that is too small, or heard. */
export function Lifecycle({ table, state = null, passed = new Set() }: LifecycleProps) {
  const drawing = useMemo(() => drawingOf(table), [table]);
  const ahead = state === null ? null : reachable(table, state);
  const isOver = (name: string) => ahead !== null && !ahead.has(name);
  const markOf = (name: string): string => {
    if (name === state) return 'is-now';
    if (passed.has(name)) return 'is-passed';
    return isOver(name) ? 'is-over' : '';
  };
  const arrowMark = ({ from, to = from }: Part): string => {
    if (from === state) return 'is-next';
    return isOver(from) || isOver(to) ? 'is-over' : '';
  };
  return (
    <>
      <figure className="drawing" aria-label={`Lifecycle of a ${plain(table.resource)}`}>
        <div className={`drawing-fit ${fitClass(drawing)}`}>
          <svg
            width={drawing.width}
            height={drawing.height}
            viewBox={`0 0 ${drawing.width} ${drawing.height}`}
            aria-hidden="true"
          >
            {drawing.parts.map((part) => (
              <Shapes
                key={`${part.kind} ${part.from} ${part.to}`}
                part={part}
                mark={part.kind === 'box' ? markOf(part.from) : arrowMark(part)}
              />
            ))}
          </svg>
          <Words drawing={drawing} markOf={markOf} />
        </div>
      </figure>
      {state !== null && <Legend />}
    </>
  );
}

const Shapes = ({ part, mark }: { readonly part: Part; readonly mark: string }) => (
  <g className={`${classOf(part)} ${mark}`}>
    {part.shapes.map(({ tag, attributes: { class: className, ...attributes }, text }) =>
      createElement(
        tag,
        { key: `${tag} ${Object.values(attributes).join(' ')}`, className, ...attributes },
        text,
      ),
    )}
    {mark === 'is-passed' && <Check frame={part.shapes[0]} />}
  </g>
);

/** The sign of a state that was passed, at the left edge of its box. */
function Check({ frame }: { readonly frame: Shape | undefined }) {
  const { x = 0, y = 0, height = 0 } = frame?.attributes ?? {};
  const d = `M${Number(x) + 4} ${Number(y) + Number(height) / 2} l3 3 l5 -7`;
  return frame?.tag === 'rect' ? <path className="drawing-check" d={d} /> : null;
}

const marksInWords: Readonly<Record<string, string>> = {
  'is-now': ', now',
  'is-passed': ', passed',
};

/** The same in words. */
const Words = ({
  drawing,
  markOf,
}: {
  readonly drawing: Drawing;
  readonly markOf: (state: string) => string;
}) => (
  <ol className="drawing-words">
    {drawing.told.map(({ key, head, lines }) => (
      <li key={key} className={markOf(key)}>
        <b>
          {head}
          {marksInWords[markOf(key)]}
        </b>
        {lines.length > 0 && (
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ol>
);

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
