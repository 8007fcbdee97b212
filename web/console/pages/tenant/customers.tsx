import { Anchor, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TenantDetail } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import { useState } from 'react';
import { useCall } from '../../../staff/api/queries.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { inWords } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';

type Call = ReturnType<typeof useCall>;

interface Found {
  readonly id: string;
  readonly name: string;
  readonly by: string;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The customer of a record by the names that the API's records have for one. */
const customerOf = (record: Readonly<Record<string, unknown>>): string | null =>
  text(record.customer_id) ?? text(record.payer_customer_id) ?? text(record.merchant_customer_id);

async function search(ask: Call, q: string): Promise<Found[]> {
  const { data } = await ask('GET /portal/api/search', { q });
  const read = async (id: string) => (await ask('GET /portal/api/records/:id', { id })).record;
  const found = await Promise.all(
    data.map(async ({ id, title, resource }) => {
      const record = (await read(id)) as Readonly<Record<string, unknown>>;
      const customerId = resource === 'customer' ? id : customerOf(record);
      if (customerId === null) return null;
      const customer = resource === 'customer' ? record : await read(customerId);
      const { business, email } = customer as {
        business?: { legal_name?: string };
        email?: string;
      };
      const by = resource === 'customer' ? '' : `${inWords(resource)} ${title}`;
      return { id: customerId, name: business?.legal_name ?? email ?? customerId, by };
    }),
  );
  return [...new Map(found.flatMap((one) => (one ? [[one.id, one]] : []))).values()];
}

/** Finds a customer of the Tenant, and leads to all that the desk knows of them. */
export function Customers({ tenant: { id: tenantId } }: { readonly tenant: TenantDetail }) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const ask = useCall();
  const { data, error, isFetching } = useQuery({
    queryKey: ['customers by search', tenantId, asked],
    queryFn: () => search(ask, asked),
    enabled: asked !== '',
    retry: false,
  });
  return (
    <Section
      title="Customers"
      text="A customer's page has the accounts with their balances, the activity, the cases, the bank accounts and the messages."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(typed.trim());
        }}
      >
        <Group align="flex-end" gap="sm" maw={640}>
          <TextInput
            label="Find a customer"
            description="A whole e-mail address, the tenant's own reference, or the id of any record"
            maxLength={255}
            className="grows"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={typed.trim() === ''}>
            Find
          </Button>
        </Group>
      </form>
      <div role="status">
        {isFetching && <Text size="sm">Looking…</Text>}
        {data?.length === 0 && <Text size="sm">No customer matches</Text>}
      </div>
      {error && <Trouble error={error} />}
      {data && data.length > 0 && (
        <Stack maw={640}>
          <PlainTable label="Customers found" columns={['Customer', 'Found by']}>
            {data.map(({ id, name, by }) => (
              <Table.Tr key={id}>
                <Table.Td className="breaks">
                  <Anchor
                    component={Link}
                    to="/record/$tenantId/$id"
                    params={{ tenantId, id } as never}
                    size="sm"
                  >
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td className="breaks">{by || 'what was typed'}</Table.Td>
              </Table.Tr>
            ))}
          </PlainTable>
        </Stack>
      )}
    </Section>
  );
}
