import { Anchor, Text, Timeline, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TimelineRow } from '@tenant-payments/backoffice/contract/records/records.ts';
import { capitalized, plainWords, shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { Cents } from '../cents.tsx';
import { useRecordPage } from '../record_link.tsx';
import { StateBadge } from '../state_badge.tsx';
import { When } from '../when.tsx';

/**
 * The name of an event in words: `customer.verification.updated` is `Customer verification
 * updated`.
 */
const told = (type: string): string => capitalized(plainWords(type.replaceAll('.', ' ')));

/** The name of a row, with the way to its page; an entry has no page. */
function Heading({ row }: { readonly row: TimelineRow }) {
  const pageOf = useRecordPage();
  if (row.kind === 'entry')
    return (
      <>
        {capitalized(plainWords(row.step))}: {plainWords(row.pocket)}
      </>
    );
  return (
    <Anchor
      component={Link}
      {...pageOf(row.id)}
      size="sm"
      fw={600}
      title={row.kind === 'event' ? row.type : row.path}
    >
      {row.kind === 'event' ? told(row.type) : `${row.method} ${shortPath(row.path)}`}
    </Anchor>
  );
}

/** A path with the ids in it short. */
const shortPath = (path: string): string =>
  path.replaceAll(/\b[a-z]{1,8}_[0-9a-f]{32}/g, (id) => shortened(id));

function Fact({ row }: { readonly row: TimelineRow }) {
  switch (row.kind) {
    case 'event':
      return row.delivery_status === 'none' ? (
        <>not sent</>
      ) : (
        <StateBadge state={row.delivery_status} />
      );
    case 'entry':
      return <Cents value={row.delta} />;
    default:
      return <>answered {row.status}</>;
  }
}

/** The events, entries and requests of a record, newest first. */
export const History = ({ rows }: { readonly rows: readonly TimelineRow[] }) => (
  <section aria-labelledby="history">
    <Title order={2} size="h4" id="history" mb="xs">
      History
    </Title>
    {rows.length === 0 && <Text c="dimmed">Its history is no longer kept.</Text>}
    <Timeline bulletSize={12} lineWidth={2}>
      {rows.map((row, at) => (
        <Timeline.Item
          key={`${row.kind} ${row.id} ${String(at)}`}
          title={<Heading row={row} />}
          className="breaks"
        >
          <Text size="sm" c="dimmed" component="div">
            <When at={row.at} /> · <Fact row={row} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  </section>
);
