import { Anchor, Text, Timeline, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TimelineRow } from '@tenant-payments/backoffice/contract/records/records.ts';
import { Cents } from '../cents.tsx';
import { useRecordPage } from '../record_link.tsx';
import { StateBadge } from '../state_badge.tsx';
import { When } from '../when.tsx';

/** What it is, with the way to it; an entry has none of its own. */
function Heading({ row }: { readonly row: TimelineRow }) {
  const pageOf = useRecordPage();
  if (row.kind === 'entry')
    return (
      <>
        {row.step.replaceAll('_', ' ')}: {row.pocket.replaceAll('_', ' ')}
      </>
    );
  return (
    <Anchor component={Link} {...pageOf(row.id)} size="sm" fw={600}>
      {row.kind === 'event' ? row.type : `${row.method} ${row.path}`}
    </Anchor>
  );
}

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

/** What happened to a record, newest first. */
export const History = ({ rows }: { readonly rows: readonly TimelineRow[] }) => (
  <section aria-labelledby="history">
    <Title order={2} size="h4" id="history" mb="xs">
      History
    </Title>
    {rows.length === 0 && <Text c="dimmed">Nothing is kept of it any more.</Text>}
    <Timeline bulletSize={12} lineWidth={2}>
      {rows.map((row, at) => (
        <Timeline.Item
          key={`${row.kind} ${row.id} ${String(at)}`}
          title={<Heading row={row} />}
          className="breaks"
        >
          <Text size="sm" c="dimmed" component="div">
            <When at={row.at} /> <Fact row={row} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  </section>
);
