import { ActionIcon, Group, Skeleton, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useAddress } from '../../staff/api/address.ts';
import { usePages, useRead } from '../../staff/api/queries.ts';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { easternDay, monthInWords } from '../../ui/dates.ts';
import { MonthGrid } from './reconciliation/month_grid.tsx';
import { monthAfter } from './reconciliation/months.ts';

/** The daily reports in a calendar of Eastern Time. */
export function Reconciliation() {
  const clock = useRead('GET /portal/api/clock', {});
  const [address, set] = useAddress(['month']);
  const pages = usePages('GET /portal/api/reconciliation-reports', {});
  const reports = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const today = clock.data ? easternDay(clock.data.now) : null;
  const month = address.month || today?.slice(0, 7) || '';
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const oldest = reports.at(-1)?.date ?? '';
  // Newest first: reads on until the month is whole.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && oldest >= month) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, oldest, month]);
  const error = clock.error ?? pages.error;
  return (
    <>
      <PageTitle
        title="Reconciliation"
        text="One report for each day, made at 06:00 Eastern Time of the next. A report never changes."
      />
      {error && <Trouble error={error} onRetry={() => void pages.refetch()} />}
      {!error && (today === null || pages.isPending) && <Skeleton height={360} />}
      {today !== null && !pages.isPending && !error && (
        <>
          <Group gap="xs" mb="sm">
            <Turn
              label="Month before"
              sign="‹"
              onGo={() => set({ month: monthAfter(month, -1) })}
            />
            <Title order={2} size="h4" miw={160} ta="center" aria-live="polite">
              {monthInWords(month)}
            </Title>
            <Turn label="Month after" sign="›" onGo={() => set({ month: monthAfter(month, 1) })} />
          </Group>
          <MonthGrid month={month} today={today} reports={reports} />
          {reports.length === 0 && (
            <Text size="sm" c="dimmed" mt="sm">
              No report yet: the first is made at 06:00 Eastern Time of the day after your first.
            </Text>
          )}
        </>
      )}
    </>
  );
}

interface TurnProps {
  readonly label: string;
  readonly sign: string;
  readonly onGo: () => void;
}

const Turn = ({ label, sign, onGo }: TurnProps) => (
  <ActionIcon variant="default" size="lg" aria-label={label} onClick={onGo}>
    {sign}
  </ActionIcon>
);
