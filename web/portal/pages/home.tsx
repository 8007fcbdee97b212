import { Anchor, Code, List, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { isSandbox } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Hours } from '../parts/hours.tsx';

const everyMs = 15_000;

/** What to do next, and how the last day went. */
export function Home() {
  const { data, error, refetch } = useRead('GET /portal/api/overview', {}, everyMs);
  return (
    <>
      <PageTitle title="Home" text="What to do next, and how the last 24 hours went." />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && (
        <Stack gap="xl">
          <Checklist steps={data.checklist} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Requests hours={data.requests} />
            <Deliveries hours={data.deliveries} endpoints={data.delivered_to} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Endpoint endpoint={data.endpoint} />
            <Clock clock={data.clock} />
          </SimpleGrid>
          <Refusals refusals={data.refusals} />
        </Stack>
      )}
    </>
  );
}

const steps = [
  ['token_fetched', 'Get an access token', '/credentials'],
  ['endpoint_set', 'Set the webhook endpoint', '/webhooks'],
  ['first_event_delivered', 'Receive your first event', '/events'],
  ['first_payment_completed', 'Complete your first payment', '/records/payments'],
  ['clock_moved', 'Move the clock', '/sandbox'],
  ['went_live', 'Go live', '/credentials'],
] as const;

function Checklist({ steps: done }: { readonly steps: Overview['checklist'] }) {
  const count = steps.filter(([name]) => done[name].done).length;
  return (
    <section aria-labelledby="steps">
      <Title order={2} size="h4" id="steps" mb="xs">
        {`Getting started: ${count} of ${steps.length}`}
      </Title>
      <List spacing={4} listStyleType="none">
        {steps.map(([name, text, to]) => (
          <List.Item key={name}>
            <Mark
              tone={done[name].done ? 'good' : 'plain'}
              text={done[name].done ? 'done' : 'to do'}
            />{' '}
            <Anchor component={Link} to={to} size="sm">
              {text}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </section>
  );
}

const Requests = ({ hours }: { readonly hours: Overview['requests'] }) => (
  <Hours
    label="Requests"
    hours={hours.map(({ hour }) => hour)}
    series={[
      { name: 'answered', shade: 'good', counts: hours.map(({ ok }) => ok) },
      { name: 'refused', shade: 'warning', counts: hours.map(({ refused }) => refused) },
      { name: 'failed', shade: 'bad', counts: hours.map(({ failed }) => failed) },
    ]}
  />
);

interface DeliveriesProps {
  readonly hours: Overview['deliveries'];
  readonly endpoints: Overview['delivered_to'];
}

const Deliveries = ({ hours, endpoints }: DeliveriesProps) => (
  <div>
    <Hours
      label="Deliveries"
      hours={hours.map(({ hour }) => hour)}
      series={[
        { name: 'accepted', shade: 'good', counts: hours.map(({ delivered }) => delivered) },
        { name: 'failed', shade: 'bad', counts: hours.map(({ failed }) => failed) },
      ]}
    />
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
  </div>
);

function Endpoint({ endpoint }: { readonly endpoint: Overview['endpoint'] }) {
  const { url, enabled, last_success_at, failure_streak } = endpoint;
  const state = url === null ? 'not set' : enabled ? 'sending' : 'switched off';
  return (
    <section aria-labelledby="endpoint">
      <Title order={2} size="h4" id="endpoint" mb="xs">
        Webhook endpoint
      </Title>
      <Facts
        rows={[
          [
            'Address',
            <Anchor key="address" component={Link} to="/webhooks" size="sm">
              {url ?? 'none: set one'}
            </Anchor>,
          ],
          ['State', <Mark key="state" tone={enabled ? 'good' : 'plain'} text={state} />],
          ['Last success', <When key="last" at={last_success_at} />],
          [
            'Failures since',
            failure_streak === 0 ? (
              'none'
            ) : (
              <Anchor key="failures" component={Link} to="/deliveries" size="sm">
                {failure_streak}
              </Anchor>
            ),
          ],
        ]}
      />
    </section>
  );
}

function Clock({ clock: { now, real_now } }: { readonly clock: Overview['clock'] }) {
  const ahead = Math.round((Date.parse(now) - Date.parse(real_now)) / 3_600_000);
  return (
    <section aria-labelledby="clock">
      <Title order={2} size="h4" id="clock" mb="xs">
        Clock
      </Title>
      <Facts
        rows={[
          [isSandbox ? 'Your time' : 'Time', <When key="now" at={now} isDate />],
          ...(isSandbox
            ? ([
                ['Real time', <When key="real" at={real_now} isDate />],
                [
                  'Ahead by',
                  <Anchor key="ahead" component={Link} to="/sandbox" size="sm">
                    {ahead === 0 ? 'nothing' : `${ahead.toLocaleString('en-US')} hours`}
                  </Anchor>,
                ],
              ] as const)
            : []),
        ]}
      />
    </section>
  );
}

function Refusals({ refusals }: { readonly refusals: Overview['refusals'] }) {
  return (
    <section aria-labelledby="refusals">
      <Title order={2} size="h4" id="refusals" mb="xs">
        Refused calls
      </Title>
      {refusals.length === 0 ? (
        <Text c="dimmed">None in the last 24 hours.</Text>
      ) : (
        <PlainTable
          label="Refused calls by code"
          columns={['Code', 'What to do', 'Count', 'Last', 'Request']}
          right={['Count']}
        >
          {refusals.map(({ code, what_to_do, count, last_at, request_id }) => (
            <Table.Tr key={code}>
              <Table.Td>
                <Code>{code}</Code>
              </Table.Td>
              <Table.Td miw="16rem">{what_to_do.replaceAll('`', '')}</Table.Td>
              <Table.Td ta="right">{count}</Table.Td>
              <Table.Td>
                <When at={last_at} />
              </Table.Td>
              <Table.Td>
                <Anchor
                  component={Link}
                  to="/record/$id"
                  params={{ id: request_id } as never}
                  size="sm"
                  ff="monospace"
                >
                  {request_id}
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}
