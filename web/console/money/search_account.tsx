import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '../../staff/api/queries.ts';
import { PlainTable, RowButton } from '../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';

/** An account that was found, with what led to it. */
interface Found {
  readonly accountId: string;
  readonly title: string;
  readonly resource: string;
}

type Call = ReturnType<typeof useCall>;

/** The accounts of a record: its own, or the one of its customer. */
async function accountsOf(ask: Call, id: string): Promise<string[]> {
  if (id.startsWith('acct_')) return [id];
  const { record } = await ask('GET /portal/api/records/:id', { id });
  const held = record as Readonly<Record<string, unknown>>;
  const own = ['account_id', 'merchant_account_id', 'payer_account_id', 'payee_account_id']
    .map((name) => held[name])
    .filter((value): value is string => typeof value === 'string');
  if (own.length > 0) return own;
  const customer = held.customer_id ?? held.payer_customer_id ?? held.merchant_customer_id;
  return typeof customer === 'string' ? accountsOf(ask, customer) : [];
}

/** Accounts by what a search of the Tenant finds. */
async function search(ask: Call, q: string): Promise<Found[]> {
  const { data } = await ask('GET /portal/api/search', { q });
  const found = await Promise.all(
    data.map(async ({ id, title, resource }) =>
      (await accountsOf(ask, id)).map((accountId) => ({ accountId, title, resource })),
    ),
  );
  return [...new Map(found.flat().map((one) => [one.accountId, one])).values()];
}

interface AccountSearchProps {
  readonly onChoose: (accountId: string) => void;
  /** The label of the button that chooses an account. */
  readonly verb: string;
  readonly tenantId?: string;
  /** The text that is looked for from the start. */
  readonly find?: string;
}

/** Finds an account by an id, an e-mail address or a reference. */
export function AccountSearch({ onChoose, verb, tenantId = '', find = '' }: AccountSearchProps) {
  const [text, setText] = useState(find);
  const [asked, setAsked] = useState(find);
  const ask = useCall();
  const { data, error, isFetching } = useQuery({
    queryKey: ['accounts by search', tenantId, asked],
    queryFn: () => search(ask, asked),
    enabled: asked !== '',
    retry: false,
  });
  return (
    <Stack gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Find an account"
            description="A whole id, e-mail address, reference, or the Tenant's own reference of a customer"
            maxLength={255}
            className="grows"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={text.trim() === ''}>
            Find
          </Button>
        </Group>
      </form>
      <div role="status">
        {isFetching && <Text size="sm">Looking…</Text>}
        {data?.length === 0 && <Text size="sm">No account matches</Text>}
      </div>
      {error && <Trouble error={error} />}
      {data && data.length > 0 && (
        <PlainTable label="Accounts found" columns={['Account', 'Found by']} hasActions>
          {data.map(({ accountId, title, resource }) => (
            <Table.Tr key={accountId}>
              <Table.Td className="breaks">
                <RecordLink id={accountId} />
              </Table.Td>
              <Table.Td className="breaks">
                {title === accountId ? 'its id' : `${inWords(resource)} ${title}`}
              </Table.Td>
              <Table.Td ta="right">
                <RowButton
                  text={verb}
                  label={`${verb} ${accountId}`}
                  isBusy={false}
                  onClick={() => onChoose(accountId)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Stack>
  );
}

interface ByHandProps {
  readonly onMatch: (accountId: string) => void;
  readonly onReturn: () => void;
}

/** The ways that remain where no proposal fits. */
export const ByHand = ({ onMatch, onReturn }: ByHandProps) => (
  <Section
    title="If none fits"
    text="Look for the account by hand, or book that the bank sends the money back."
  >
    <AccountSearch verb="Match" onChoose={onMatch} />
    <Group>
      <Button variant="default" onClick={onReturn}>
        Return to the bank
      </Button>
    </Group>
  </Section>
);
