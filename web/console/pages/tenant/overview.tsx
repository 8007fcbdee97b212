import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import type { TenantDetail } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import type { ReactNode } from 'react';
import { Cents } from '../../../staff/parts/cents.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { counted, inWords } from '../../../staff/parts/tell.ts';
import { When } from '../../../staff/parts/when.tsx';
import { Health } from '../tenants/health.tsx';
import { AsReader } from './as_reader.tsx';
import { LimitsUsed } from './limits_used.tsx';
import { RequestVolumes } from './request_volumes.tsx';
import { Suspension } from './suspension.tsx';

interface PartProps {
  readonly tenant: TenantDetail;
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '0%' : `${((part / whole) * 100).toFixed(1)}%`;

/** How a Tenant does, and whether it may act. */
export const Overview = ({ tenant }: PartProps) => (
  <Stack gap={40} maw={960}>
    <Lacks tenant={tenant} />
    <LastDay tenant={tenant} />
    <LimitsUsed tenant={tenant} />
    <RequestVolumes />
    <Section title="Facts">
      <Facts
        rows={[
          ['Created', <When key="made" at={tenant.created_at} />],
          ['Its clock', <When key="now" at={tenant.now} isDate />],
          ['Customers', tenant.customers.toLocaleString('en-US')],
          ['Open disputes', tenant.open_disputes],
          ['Notices of 90 days', noticesIn(tenant)],
          ['Cases that wait', tenant.waiting],
          ['Client secrets', `${tenant.active_credentials} active`],
          ['Owners', <Owners key="owners" tenant={tenant} />],
        ]}
      />
    </Section>
    <Endpoint tenant={tenant} />
    <AsReader tenantId={tenant.id} />
    <Suspension tenant={tenant} />
  </Stack>
);

/** The things that a Tenant lacks to take customers (rules/documents#37). */
function Lacks({ tenant: { lacks } }: PartProps) {
  if (lacks.length === 0) return null;
  return (
    <Alert color="yellow" title="It takes no new customers">
      It lacks: {lacks.map(inWords).join(', ')}. Set the institution in its settings, publish its
      documents. Customers who are there go on; their papers name a sample institution until one is
      set.
    </Alert>
  );
}

/** A high share of purchase disputes may hide notices that have more rights. */
const noticesIn = ({ notices }: TenantDetail): string =>
  `${counted(notices.total, 'notice')}: ${notices.purchase_disputes} as purchase disputes (${share(notices.purchase_disputes, notices.total)}), ${notices.reclassified} handled as another kind, ${notices.reasserted} answered before`;

function LastDay({ tenant: { last_day, rate } }: PartProps) {
  const { payments, volume, requests, refused, failed } = last_day;
  return (
    <Section title="Last 24 hours" text="Payments by the tenant's clock, requests by real time.">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Figure name="Volume" value={<Cents value={volume} />}>
          {counted(payments, 'payment')}
        </Figure>
        <Figure name="Requests" value={requests.toLocaleString('en-US')}>
          {`at most ${rate.busiest_minute} in a minute, of ${rate.limit.toLocaleString('en-US')}`}
        </Figure>
        <Figure name="Refused" value={refused.toLocaleString('en-US')}>
          {`${share(refused, requests)} were answered 4xx`}
        </Figure>
        <Figure name="Failed" value={failed.toLocaleString('en-US')}>
          {`${share(failed, requests)} were answered 5xx`}
        </Figure>
      </SimpleGrid>
    </Section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly children: ReactNode;
}

const Figure = ({ name, value, children }: FigureProps) => (
  <div>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text size="xl" fw={700}>
      {value}
    </Text>
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  </div>
);

const Owners = ({ tenant: { owners } }: PartProps) =>
  owners.length === 0
    ? 'None yet'
    : owners.map(({ id, name, email }) => <div key={id}>{`${name} (${email})`}</div>);

const Endpoint = ({ tenant: { endpoint } }: PartProps) => (
  <Section title="Webhook endpoint" text="Of the attempts to events of the last four days.">
    <Facts
      rows={[
        ['Host', endpoint.host ?? 'Not set'],
        ['Health', <Health key="health" endpoint={endpoint} />],
        ['Last accepted', <When key="last" at={endpoint.last_success_at} />],
      ]}
    />
  </Section>
);
