import { Anchor, Button, Center, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BoardDispute } from '@tenant-payments/backoffice/contract/operate/dispute_board.ts';
import { TenantProvider, usePages } from '../../staff/api/queries.ts';
import { TroubleStrip } from '../../staff/attention/trouble_strip.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { Deadline } from '../../staff/parts/deadline.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark, StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { deadlineWords } from '../case/deadlines.ts';
import { titleOf } from '../desk/what.ts';

const dayMs = 86_400_000;

/** Days on the Tenant's clock until the first deadline; below 0: it has passed. */
const daysLeft = ({ now, next }: BoardDispute): number =>
  next === null ? Number.POSITIVE_INFINITY : (Date.parse(next.at) - Date.parse(now)) / dayMs;

/** The columns of the board: each takes what is due before so many days, and no earlier one takes. */
const groups = [
  { title: 'Late', before: 0, text: 'A deadline has passed. Act now, and write down why.' },
  { title: 'Within two days', before: 2 },
  { title: 'Within a week', before: 7 },
  { title: 'Later', before: Number.POSITIVE_INFINITY },
  { title: 'Without a deadline', before: null, text: 'Regulation E sets none, or all were kept.' },
] as const;

const groupOf = (dispute: BoardDispute): (typeof groups)[number]['title'] | undefined => {
  const days = daysLeft(dispute);
  return groups.find(({ before }) => before === null || days < before)?.title;
};

function Row({ dispute }: { readonly dispute: BoardDispute }) {
  const { record, next, late, tenant_id, tenant_name } = dispute;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          to={`/case/${tenant_id}/disputes/${record.id}`}
          size="sm"
          title={record.id}
        >
          {titleOf(record)}
        </Anchor>
        <Text size="xs" c="dimmed" component="div">
          <TenantProvider value={tenant_id}>
            <RecordLink id={record.customer_id} isBare />
          </TenantProvider>
          {` of ${isolated(tenant_name)}`}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {record.disputed_amount === null ? 'Not known' : <Cents value={record.disputed_amount} />}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <StateBadge state={record.status} resource="dispute" />
          {record.regulation_e && <Mark tone="plain" text="Regulation E" />}
        </Group>
      </Table.Td>
      <Table.Td>
        {next === null ? (
          <Text size="sm" c="dimmed">
            No deadline
          </Text>
        ) : (
          <>
            <Text size="sm">{deadlineWords[next.deadline]}</Text>
            <Text size="xs">
              <Deadline at={next.at} now={Date.parse(dispute.now)} isLate={late} />
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td>
        <When at={record.notice_received_at} />
      </Table.Td>
    </Table.Tr>
  );
}

const columns = ['Dispute', 'Amount', 'State', 'Next deadline', 'Notice received'];

/** The disputes of all Tenants by their deadlines. */
export function Disputes() {
  const pages = usePages('GET /portal/api/dispute-board', {});
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = pages;
  const disputes = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <PageTitle
        title="Disputes"
        text="Every dispute that is not closed, by the deadline of Regulation E that ends first."
      />
      {error && <Trouble error={error} onRetry={() => void pages.refetch()} />}
      {isPending && <Skeleton height={320} aria-label="Loading" />}
      {data && disputes.length === 0 && (
        <Center py="xl">
          <Text>No open disputes</Text>
        </Center>
      )}
      <Stack gap="xl">
        <TroubleStrip />
        {groups.map((group) => {
          const own = disputes.filter((dispute) => groupOf(dispute) === group.title);
          if (own.length === 0) return null;
          return (
            <Section
              key={group.title}
              title={`${group.title} (${own.length})`}
              {...('text' in group && { text: group.text })}
            >
              <PlainTable label={group.title} columns={columns} right={['Amount']}>
                {own.map((dispute) => (
                  <Row key={dispute.record.id} dispute={dispute} />
                ))}
              </PlainTable>
            </Section>
          );
        })}
        {hasNextPage && (
          <Group>
            <Button
              variant="default"
              loading={isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show more
            </Button>
          </Group>
        )}
      </Stack>
    </>
  );
}
