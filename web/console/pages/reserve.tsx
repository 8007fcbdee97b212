import { Anchor, Button, Skeleton, Stack, Table } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type ItemOf, TenantProvider, usePages, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Cents } from '../../staff/parts/cents.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Paged } from '../money/paged.tsx';
import { stepInWords } from '../money/steps.ts';
import { useBegun } from '../money/use_begun.tsx';
import { disputesOf, fundOf, Standing } from './reserves.tsx';

const entries = 'GET /portal/api/ledger/entries';

/** One reserve: its balance, its floor and what moved it. */
export function ReservePage() {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId: string };
  const read = useRead('GET /portal/api/reserves', { tenant_id: tenantId });
  const isReviewer = holds(useSession(), ['reviewer']);
  const { begin, dialog, ended } = useBegun();
  const [reserve] = read.data?.data ?? [];
  return (
    <>
      <Anchor component={Link} to="/money/reserves" size="sm">
        Back to the reserves
      </Anchor>
      <Stack gap="lg" mt="md">
        <PageTitle
          title="Reserve"
          {...(reserve && { text: `Of ${isolated(reserve.tenant_name)}` })}
        >
          {isReviewer && reserve && (
            <Button onClick={() => begin(fundOf(tenantId))}>Fund the reserve</Button>
          )}
        </PageTitle>
        {ended}
        {read.error && <Trouble error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton height={120} role="status" aria-label="Loading the reserve" />}
        {reserve && (
          <Facts
            rows={[
              ['Balance', <Cents key="balance" value={reserve.balance} />],
              ['Of it on its way', <Cents key="in_transit" value={reserve.in_transit} />],
              ['Floor', <Cents key="floor" value={reserve.floor} />],
              ['Standing', <Standing key="standing" reserve={reserve} />],
              ['Disputes', disputesOf(reserve)],
            ]}
          />
        )}
        <TenantProvider value={tenantId}>
          <Movements />
        </TenantProvider>
      </Stack>
      {dialog}
    </>
  );
}

const Row = ({ entry }: { readonly entry: ItemOf<typeof entries> }) => (
  <Table.Tr>
    <Table.Td>
      <When at={entry.created_at} />
    </Table.Td>
    <Table.Td>{stepInWords(entry.step)}</Table.Td>
    <Table.Td ta="right">
      <Cents value={entry.delta} />
    </Table.Td>
    <Table.Td>
      <RecordLink id={entry.source_id} isBare />
    </Table.Td>
  </Table.Tr>
);

function Movements() {
  const pages = usePages(entries, { pocket: 'reserve' });
  return (
    <Section title="Movements" text="The entries of the ledger, newest first.">
      <Paged
        label="Movements of the reserve"
        pages={pages}
        columns={['When', 'What', 'Amount', 'Source']}
        right={['Amount']}
        empty="Nothing has moved it yet."
        row={(entry) => <Row key={entry.id} entry={entry} />}
      />
    </Section>
  );
}
