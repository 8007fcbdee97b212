import { Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { Chart } from '../../../staff/charts/chart.tsx';
import type { Way } from '../../../staff/charts/props.ts';

const hourMs = 3_600_000;
const span = 'last 24 hours';

/** A list with what came in an hour. */
const during =
  (to: string) =>
  (hour: string): Way => ({
    to,
    search: { from: hour, to: new Date(Date.parse(hour) + hourMs).toISOString() },
  });

export const Requests = ({ hours }: { readonly hours: Overview['requests'] }) => (
  <Chart
    label="Requests"
    span={span}
    step="hour"
    unit="count"
    columns={hours.map(({ hour }) => hour)}
    series={[
      { name: 'answered', shade: 'good', values: hours.map(({ ok }) => ok) },
      { name: 'refused', shade: 'warning', values: hours.map(({ refused }) => refused) },
      { name: 'failed', shade: 'bad', values: hours.map(({ failed }) => failed) },
    ]}
    wayOf={during('/requests')}
  />
);

interface DeliveriesProps {
  readonly hours: Overview['deliveries'];
  readonly endpoints: Overview['delivered_to'];
}

export const Deliveries = ({ hours, endpoints }: DeliveriesProps) => (
  <Chart
    label="Deliveries"
    span={span}
    step="hour"
    unit="count"
    columns={hours.map(({ hour }) => hour)}
    series={[
      { name: 'accepted', shade: 'good', values: hours.map(({ delivered }) => delivered) },
      { name: 'failed', shade: 'bad', values: hours.map(({ failed }) => failed) },
    ]}
    wayOf={during('/deliveries')}
  >
    {endpoints.some(({ endpoint_id }) => endpoint_id !== null) && (
      <List size="sm" mt="xs" listStyleType="none" aria-label="Deliveries by endpoint">
        {endpoints.map(({ endpoint_id, endpoint_name, delivered, failed }) => (
          <List.Item key={endpoint_id}>
            {endpoint_id === null ? (
              'The first endpoint'
            ) : (
              <Anchor
                component={Link}
                to="/deliveries"
                search={{ endpoint_id } as never}
                size="sm"
                underline="always"
              >
                {endpoint_name}
              </Anchor>
            )}
            {`: ${delivered} accepted, ${failed} failed`}
          </List.Item>
        ))}
      </List>
    )}
  </Chart>
);
