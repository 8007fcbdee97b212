import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { FeeSweep } from '@tenant-payments/backoffice/contract/money/own_accounts.ts';
import { given, useAddress } from '../../staff/api/address.ts';
import { TenantProvider, usePages, useRead } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { Mark, type Tone } from '../../staff/parts/state_badge.tsx';
import { lengthOf } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { dayInWords } from '../../ui/dates.ts';
import { Paged } from '../money/paged.tsx';
import { TenantFilter } from '../tenants/tenant_filter.tsx';

const states: Readonly<Record<FeeSweep['status'], readonly [Tone, string]>> = {
  in_transit: ['progress', 'ordered'],
  swept: ['good', 'swept'],
  failed: ['bad', 'refused by the bank'],
};

const Row = ({ sweep }: { readonly sweep: FeeSweep }) => (
  <Table.Tr>
    <Table.Td>{dayInWords(sweep.day, 'en')}</Table.Td>
    <Table.Td>
      <Mark tone={states[sweep.status][0]} text={states[sweep.status][1]} />
    </Table.Td>
    <Table.Td>{sweep.tenant_name}</Table.Td>
    <Table.Td ta="right">
      <Cents value={sweep.platform_fees} />
    </Table.Td>
    <Table.Td ta="right">
      <Cents value={sweep.tenant_fees} />
    </Table.Td>
    <Table.Td ta="right">
      <Cents value={sweep.platform_fees + sweep.tenant_fees} />
    </Table.Td>
    <Table.Td>
      <ShortId id={sweep.id} />
    </Table.Td>
  </Table.Tr>
);

/** The fees that wait in one Tenant, and the time of their sweep. */
function Waiting() {
  const { data, error, refetch } = useRead('GET /portal/api/waiting-fees', {}, 60_000);
  return (
    <Section title="Waiting for the next sweep">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} role="status" aria-label="Loading what waits" />}
      {data && (
        <Facts
          rows={[
            ["The platform's", <Cents key="platform" value={data.platform_fees} />],
            ["The tenant's", <Cents key="tenant" value={data.tenant_fees} />],
            [
              'Next sweep',
              data.next_sweep_at ? (
                <>
                  <When at={data.next_sweep_at} isDate />, in{' '}
                  {lengthOf(Date.parse(data.next_sweep_at) - Date.parse(data.now))}
                </>
              ) : (
                'None planned'
              ),
            ],
          ]}
        />
      )}
    </Section>
  );
}

/** The fees that were swept out of all Tenants, and those that wait in one. */
export function FeeSweeps() {
  const [filters, set] = useAddress(['tenant_id']);
  const { tenant_id } = filters;
  const pages = usePages('GET /portal/api/fee-sweeps', given(filters));
  return (
    <>
      <PageTitle
        title="Fee sweeps"
        text="At 23:30 Eastern Time of each day the fees that were taken leave for the operating accounts."
      />
      <Group my="md" role="search" aria-label="Filters">
        <TenantFilter value={tenant_id} onChange={(id) => set({ tenant_id: id })} />
      </Group>
      <Stack gap="xl">
        {tenant_id === '' ? (
          <Text size="sm">Choose a tenant to see what waits for its next sweep.</Text>
        ) : (
          <TenantProvider value={tenant_id}>
            <Waiting />
          </TenantProvider>
        )}
        <Section title="Sweeps">
          <Paged
            label="Sweeps of fees"
            pages={pages}
            columns={['Day', 'State', 'Tenant', "Platform's", "Tenant's", 'Total', 'Ledger source']}
            right={["Platform's", "Tenant's", 'Total']}
            empty="Nothing was swept yet."
            row={(sweep) => <Row key={sweep.id} sweep={sweep} />}
          />
        </Section>
      </Stack>
    </>
  );
}
