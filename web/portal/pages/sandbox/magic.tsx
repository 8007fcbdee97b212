import { Code, Table } from '@mantine/core';
import type { Magic as Tables } from '@tenant-payments/contract/sandbox/magic.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { CopyText } from '../../../staff/parts/json_view.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { StateBadge } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { People } from './people.tsx';

/** The people, names, banks and amounts of the sandbox, as it runs them. */
export function Magic() {
  const { data, error, refetch } = useRead('GET /portal/api/sandbox/magic', {});
  return (
    <Section
      title="People, banks and amounts"
      text="The sandbox itself runs on these tables. Names, banks and amounts decide in automatic mode alone."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <People magic={data} />
          <Banks banks={data.banks} />
          <Names names={data.names} />
          <Amounts amounts={data.amounts} />
        </>
      )}
    </Section>
  );
}

/** The uses of a bank's account, in words. */
const offers = ({ withdrawal, load }: Tables['banks'][number]['accounts'][number]): string =>
  [withdrawal && 'withdrawals', load && 'loads and payments by bank'].filter(Boolean).join(', ') ||
  'no transfers';

const Banks = ({ banks }: Pick<Tables, 'banks'>) => (
  <PlainTable label="Banks" columns={['Public token', 'Account', 'Takes', 'Ends']}>
    {banks.flatMap(({ public_token, accounts, outcome, failure_code }) =>
      accounts.map((account) => (
        <Table.Tr key={`${public_token} ${account.account_mask}`}>
          <Table.Td>
            <Code>{public_token}</Code>{' '}
            <CopyText label={`Copy ${public_token}`} text={public_token} />
          </Table.Td>
          <Table.Td>
            {`${account.account_type} ${account.account_mask}`}
            {account.id && (
              <>
                {' '}
                (<Code>{account.id}</Code>)
              </>
            )}
          </Table.Td>
          <Table.Td>{offers(account)}</Table.Td>
          <Table.Td>
            <StateBadge state={outcome} /> {failure_code && <Code>{failure_code}</Code>}
          </Table.Td>
        </Table.Tr>
      )),
    )}
  </PlainTable>
);

const Names = ({ names }: Pick<Tables, 'names'>) => (
  <PlainTable label="Names" columns={['Last name or legal name', 'Ends']}>
    {names.map(({ name, outcome }) => (
      <Table.Tr key={name}>
        <Table.Td>
          <Code>{name}</Code>
        </Table.Td>
        <Table.Td>
          <StateBadge state={outcome} />
        </Table.Td>
      </Table.Tr>
    ))}
    <Table.Tr>
      <Table.Td>any other</Table.Td>
      <Table.Td>
        <StateBadge state="approved" />
      </Table.Td>
    </Table.Tr>
  </PlainTable>
);

const answer = (failure: string | null) =>
  failure === null ? 'never answered' : <Code>{failure}</Code>;

const Amounts = ({ amounts }: Pick<Tables, 'amounts'>) => (
  <PlainTable
    label="Amounts"
    columns={['Amount ends in', 'Load, payment by bank', 'Withdrawal, refund to a bank']}
  >
    {amounts.map(({ cents, requested, sent }) => (
      <Table.Tr key={cents}>
        <Table.Td>
          <Code>{`.${cents}`}</Code>
        </Table.Td>
        <Table.Td>{answer(requested)}</Table.Td>
        <Table.Td>{answer(sent)}</Table.Td>
      </Table.Tr>
    ))}
    <Table.Tr>
      <Table.Td>any other</Table.Td>
      <Table.Td>settled or completed</Table.Td>
      <Table.Td>settled or completed</Table.Td>
    </Table.Tr>
  </PlainTable>
);
