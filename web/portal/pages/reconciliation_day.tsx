import { Alert, Anchor, Button, Group, Skeleton, Stack, Table } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReconciliationDay as Reply } from '@tenant-payments/backoffice/contract/records/reconciliation.ts';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { counted, inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { wholeDay } from '../../ui/dates.ts';

/** A day's report beside the ledger, with its file. */
export function ReconciliationDay() {
  const { date = '' } = useParams({ strict: false }) as { date?: string };
  const { data, error, refetch } = useRead('GET /portal/api/reconciliation-reports/:date', {
    date,
  });
  return (
    <>
      <PageTitle title={wholeDay(date)} text="The day in Eastern Time.">
        {data && (
          <Button component="a" href={data.report.file.download_url} download>
            Download the CSV
          </Button>
        )}
      </PageTitle>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <Stack gap="xl" maw={720}>
          <Verdict day={data} />
          <Figures figures={data.figures} />
          <Facts
            rows={[
              ['Created', <When key="made" at={data.report.generated_at} />],
              ['Structure', capitalized(inWords(data.report.account_structure))],
              ['Postings', String(data.report.postings_count)],
            ]}
          />
        </Stack>
      )}
      <Group mt="lg">
        <Anchor
          component={Link}
          to="/reconciliation"
          search={{ month: date.slice(0, 7) } as never}
          size="sm"
        >
          Back to the month
        </Anchor>
      </Group>
    </>
  );
}

const differencesOf = ({ figures }: Reply) =>
  figures.filter(({ reported, ledger }) => reported !== ledger);

function Verdict({ day }: { readonly day: Reply }) {
  const differences = differencesOf(day);
  return (
    <Alert
      color={day.ties ? 'green' : 'red'}
      role="status"
      title={
        day.ties
          ? 'The report ties to the ledger to the cent.'
          : `${counted(differences.length, 'figure')} differ from the ledger.`
      }
    >
      {day.ties
        ? 'Each figure was added up anew from the entries of the day.'
        : `Tell the platform: ${differences.map(({ name }) => inWords(name)).join(', ')}.`}
    </Alert>
  );
}

const shown = (name: string, value: number) =>
  name === 'postings_count' ? String(value) : <Cents value={value} />;

const Figures = ({ figures }: Pick<Reply, 'figures'>) => (
  <PlainTable
    label="Figures of the report and of the ledger"
    columns={['Figure', 'Report', 'Ledger', 'Difference']}
    right={['Report', 'Ledger', 'Difference']}
  >
    {figures.map(({ name, reported, ledger }) => (
      <Table.Tr key={name}>
        <Table.Td>{capitalized(inWords(name))}</Table.Td>
        <Table.Td ta="right">{shown(name, reported)}</Table.Td>
        <Table.Td ta="right">{shown(name, ledger)}</Table.Td>
        <Table.Td ta="right">
          {reported === ledger ? (
            <Mark tone="good" text="none" />
          ) : (
            <>
              <Mark tone="bad" text="differs" /> {shown(name, reported - ledger)}
            </>
          )}
        </Table.Td>
      </Table.Tr>
    ))}
  </PlainTable>
);
