import { Skeleton, Table, Text } from '@mantine/core';
import type { CustomerMessage } from '@tenant-payments/backoffice/contract/records/messages.ts';
import { useRead } from '../api/queries.ts';
import { PlainTable } from './plain_table.tsx';
import { Section } from './section.tsx';
import { Mark, type Tone } from './state_badge.tsx';
import { inWords } from './tell.ts';
import { Trouble } from './trouble.tsx';
import { When } from './when.tsx';

const tones: Readonly<Record<CustomerMessage['state'], Tone>> = {
  queued: 'plain',
  sent: 'plain',
  delivered: 'good',
  bounced: 'bad',
  undeliverable: 'bad',
  opted_out: 'warning',
};
const shown = 10;
const columns = ['Message', 'State', 'When'];

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The mails and text messages to a customer, the newest first. */
export function CustomerMessages({ id }: { readonly id: string }) {
  const route = 'GET /portal/api/customers/:id/messages';
  const { data, error, refetch } = useRead(route, { id, limit: shown });
  return (
    <Section
      title="Messages"
      text="What the customer was told last. Codes and links are kept nowhere."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data?.data.length === 0 && <Text size="sm">The customer was told nothing yet.</Text>}
      {data && data.data.length > 0 && (
        <PlainTable label="Messages to the customer" columns={columns}>
          {data.data.map((message) => (
            <Table.Tr key={message.id}>
              <Table.Td className="breaks">
                {sentence(inWords(message.template))}
                <Text size="xs" c="dimmed">
                  {message.to ?? 'erased'}
                </Text>
              </Table.Td>
              <Table.Td>
                <Mark tone={tones[message.state]} text={inWords(message.state)} />
                {message.reason && (
                  <Text size="xs" c="dimmed">
                    {inWords(message.reason)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <When at={message.ended_at ?? message.sent_at ?? message.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
