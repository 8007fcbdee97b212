import { Text } from '@mantine/core';

type Shade = 'good' | 'warning' | 'bad';

interface HoursProps {
  /** What is counted, such as `Requests`. */
  readonly label: string;
  /** The beginning of each hour, the oldest first. */
  readonly hours: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly shade: Shade;
    /** One for each hour. */
    readonly counts: readonly number[];
  }[];
}

const height = 96;
const width = 10;
const gap = 2;
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23' });

/** Counts by hour as stacked bars; the sums stand beside it in words. */
export function Hours({ label, hours, series }: HoursProps) {
  const sums = hours.map((_, at) => series.reduce((sum, one) => sum + (one.counts[at] ?? 0), 0));
  const highest = Math.max(1, ...sums);
  const totals = series.map(({ name, counts }) => ({
    name,
    total: counts.reduce((sum, count) => sum + count, 0),
  }));
  const inWords = totals.map(({ name, total }) => `${total} ${name}`).join(', ');
  return (
    <figure className="hours">
      <figcaption>
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed">
          {inWords}
        </Text>
      </figcaption>
      <svg
        role="img"
        aria-label={`${label} of the last 24 hours: ${inWords}`}
        viewBox={`0 0 ${hours.length * (width + gap)} ${height}`}
        preserveAspectRatio="none"
      >
        {hours.map((hour, at) => {
          let below = 0;
          return (
            <g key={hour}>
              <title>{`${time.format(new Date(hour))}:00, ${sums[at]}`}</title>
              {series.map(({ name, shade, counts }) => {
                const tall = ((counts[at] ?? 0) / highest) * height;
                below += tall;
                return (
                  <rect
                    key={name}
                    className={`bar is-${shade}`}
                    x={at * (width + gap)}
                    y={height - below}
                    width={width}
                    height={tall}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
