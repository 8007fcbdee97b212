import { useElementSize } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { columnOf, figureOf, markOf, tickOf } from './figures.ts';
import type { ChartProps } from './props.ts';
import type { Scales } from './use_scales.ts';

export const chartHeight = 180;
const below = 22;
const above = 8;
/** The width of a letter of the axis, about. */
const letter = 7;
const between = 56;

/** The places of all parts of a chart in a drawing this wide. */
const placesOf = ({ columns, series, unit, scales }: BarsProps, width: number) =>
  scales({
    columns,
    sums: columns.map((_, at) => series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)),
    least: unit === 'cents' ? 100 : 1,
    isWhole: unit === 'count',
    top: above,
    base: chartHeight - below,
    width,
    roomFor: (marks) => 8 + letter * Math.max(...marks.map((mark) => markOf(mark, unit).length)),
  });

/** The figures of a column, as they are read out and shown beside it. */
const saidOf = ({ step, unit, series }: ChartProps, column: string, at: number): string =>
  `${columnOf(column, step)}: ${series
    .map(({ name, values }) => `${figureOf(values[at] ?? 0, unit)} ${name}`)
    .join(', ')}`;

/** The place of the column that a key leads to; undefined: the key means something else. */
function columnBy(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const found: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
  };
  return found[key];
}

export interface BarsProps extends ChartProps {
  readonly scales: Scales;
}

/**
 * The drawing of a chart. It is one stop of the Tab key: the arrows go from column to column, Enter opens the list
 * of the one that has the focus.
 */
export function Bars(props: BarsProps) {
  const { columns, label, span, scales: _, ...rest } = props;
  const { ref, width } = useElementSize();
  const [stop, setStop] = useState(columns.length - 1);
  const [shown, setShown] = useState<number | null>(null);
  const at = Math.min(stop, columns.length - 1);
  const places = placesOf(props, width);
  const drawn = { ...rest, columns, label, span, places };
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const next = columnBy(event.key, at, columns.length);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    event.currentTarget.querySelectorAll('a')[next]?.focus();
  };
  return (
    <div ref={ref} className="chart-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg
        role="group"
        aria-label={`${label} of the ${span}: arrow keys move, Enter opens the list`}
        width={width}
        height={chartHeight}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setShown(null)}
      >
        <Axes {...drawn} width={width} />
        {columns.map((column, index) => (
          <Column
            key={column}
            {...drawn}
            column={column}
            at={index}
            isStop={index === at}
            onShow={setShown}
          />
        ))}
      </svg>
      {shown !== null && <Value {...drawn} width={width} at={shown} />}
    </div>
  );
}

type Drawn = ChartProps & { readonly places: ReturnType<typeof placesOf> };

function Axes({ columns, step, unit, places, width }: Drawn & { readonly width: number }) {
  const { figure, marks, left, column } = places;
  const every = Math.max(1, Math.ceil(between / Math.max(1, column.step())));
  const middle = column.bandwidth() / 2;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing of a drawing takes the focus but its links
    <g aria-hidden="true">
      {marks.map((mark) => (
        <g key={mark}>
          <line className="chart-line" x1={left} x2={width} y1={figure(mark)} y2={figure(mark)} />
          <text x={left - 6} y={figure(mark) + 4} textAnchor="end">
            {markOf(mark, unit)}
          </text>
        </g>
      ))}
      {columns.map((name, at) =>
        // The names are counted off from the newest column, which always has its own.
        (columns.length - 1 - at) % every === 0 && (column(name) ?? 0) + middle > left + 16 ? (
          <text
            key={name}
            x={Math.min(width - 20, (column(name) ?? 0) + middle)}
            y={chartHeight - 6}
            textAnchor="middle"
          >
            {tickOf(name, step)}
          </text>
        ) : null,
      )}
    </g>
  );
}

interface ColumnProps extends Drawn {
  readonly column: string;
  readonly at: number;
  /** The Tab key comes here. */
  readonly isStop: boolean;
  readonly onShow: (at: number | null) => void;
}

function Column({ column, at, isStop, onShow, ...drawn }: ColumnProps) {
  const { series, places, wayOf } = drawn;
  const { figure, column: across } = places;
  const x = across(column) ?? 0;
  const { to, search = {} } = wayOf(column);
  let sum = 0;
  return (
    <Link
      to={to as never}
      search={search as never}
      aria-label={saidOf(drawn, column, at)}
      tabIndex={isStop ? 0 : -1}
      className="chart-column"
      onFocus={() => onShow(at)}
      onBlur={() => onShow(null)}
      onMouseEnter={() => onShow(at)}
    >
      <rect
        className="chart-reach"
        x={x}
        y={above}
        width={across.bandwidth()}
        height={chartHeight - below - above}
      />
      {series.map(({ name, shade, values }) => {
        const value = values[at] ?? 0;
        const base = figure(sum);
        sum += value;
        return (
          <rect
            key={name}
            className={`chart-bar is-${shade}`}
            x={x}
            y={figure(sum)}
            width={across.bandwidth()}
            height={base - figure(sum)}
          />
        );
      })}
    </Link>
  );
}

/** The figures of the column that is pointed at, or has the focus; its link says them to a screen reader. */
function Value({ at, width, ...drawn }: Drawn & { readonly at: number; readonly width: number }) {
  const { columns, step, unit, series, places } = drawn;
  const column = columns[at] ?? '';
  const x = (places.column(column) ?? 0) + places.column.bandwidth() / 2;
  const isRight = x > width / 2;
  return (
    <div
      className="chart-value"
      aria-hidden="true"
      style={isRight ? { right: width - x + 12 } : { left: x + 12 }}
    >
      <strong>{columnOf(column, step)}</strong>
      {series.map(({ name, shade, values }) => (
        <div key={name} className={`chart-key is-${shade}`}>
          {`${name} ${figureOf(values[at] ?? 0, unit)}`}
        </div>
      ))}
    </div>
  );
}
