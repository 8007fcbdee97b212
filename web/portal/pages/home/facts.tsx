import { Anchor, Code, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { isSandbox } from '../../../staff/api/environment.ts';
import { useAttention } from '../../../staff/attention/use_attention.ts';
import { Facts } from '../../../staff/parts/facts.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Mark, type Tone } from '../../../staff/parts/state_badge.tsx';
import { When } from '../../../staff/parts/when.tsx';

interface Sending {
  readonly url: string | null;
  readonly enabled: boolean;
  /** Whether the endpoint is failing, by the rule of every page. */
  readonly isFailing: boolean;
}

function stateOf({ url, enabled, isFailing }: Sending): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (url === null) return { tone: 'plain', text: 'not set' };
  if (!enabled) return { tone: 'plain', text: 'switched off' };
  return isFailing ? { tone: 'bad', text: 'failing' } : { tone: 'good', text: 'sending' };
}

/** The first endpoint, and how it does. */
export function Endpoint({ endpoint }: { readonly endpoint: Overview['endpoint'] }) {
  const { url, enabled, last_success_at, failure_streak } = endpoint;
  const { items = [] } = useAttention();
  const isFailing = failure_streak > 0 && items.some(({ kind }) => kind === 'endpoints_failing');
  const state = stateOf({ url, enabled, isFailing });
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
              {url ?? 'Set an address'}
            </Anchor>,
          ],
          ['State', <Mark key="state" {...state} />],
          ['Last success', <When key="last" at={last_success_at} />],
          [
            'Failures since',
            failure_streak === 0 ? (
              'None'
            ) : (
              <Anchor
                key="failures"
                component={Link}
                to="/deliveries"
                search={{ delivery_status: 'retrying' } as never}
                size="sm"
              >
                {failure_streak}
              </Anchor>
            ),
          ],
        ]}
      />
    </section>
  );
}

/** The Tenant's clock. */
export function Clock({ clock: { now, real_now } }: { readonly clock: Overview['clock'] }) {
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
                    {ahead === 0 ? 'Not moved' : `${ahead.toLocaleString('en-US')} hours`}
                  </Anchor>,
                ],
              ] as const)
            : []),
        ]}
      />
    </section>
  );
}

/** Why calls were refused lately. */
export function Refusals({ refusals }: { readonly refusals: Overview['refusals'] }) {
  return (
    <section aria-labelledby="refusals">
      <Title order={2} size="h4" id="refusals" mb="xs">
        Refused calls
      </Title>
      {refusals.length === 0 ? (
        <Text size="sm" c="dimmed">
          None in the last 24 hours.
        </Text>
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
                <RecordLink id={request_id} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}
