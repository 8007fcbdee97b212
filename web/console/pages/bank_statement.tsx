import { Alert, Anchor, Skeleton, Stack, Table } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { StatementComparison } from '@tenant-payments/backoffice/contract/money/bank_statements.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { counted } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Differences } from '../money/differences.tsx';

/** A statement of the bank beside the ledger. */
export function BankStatementPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const { data, error, refetch } = useRead('GET /portal/api/bank-statements/:id', { id });
  const statement = data?.statement;
  return (
    <>
      <Anchor component={Link} to="/money/statements" size="sm">
        Back to the statements
      </Anchor>
      <Stack gap="lg" mt="md">
        <PageTitle
          title={statement ? `Statement of ${statement.day}` : 'Bank statement'}
          {...(statement && { text: statement.tenant_name ?? 'Pooled account' })}
        />
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <Skeleton height={320} role="status" aria-label="Loading the comparison" />
        )}
        {data && <Comparison comparison={data} />}
      </Stack>
    </>
  );
}

function Comparison({ comparison }: { readonly comparison: StatementComparison }) {
  const { statement, ties, differences, differences_count, open_count } = comparison;
  return (
    <>
      <Alert
        color={ties ? 'green' : open_count === 0 && differences_count > 0 ? 'yellow' : 'red'}
        role="status"
        title={ties ? 'Bank and ledger agree' : 'Bank and ledger differ'}
      >
        {ties
          ? `All ${counted(statement.lines, 'line')} are in the ledger, and nothing else is.`
          : toldOf(comparison)}
      </Alert>
      <Shortage comparison={comparison} />
      <Totals comparison={comparison} />
      {differences.length > 0 && (
        <Section
          title={`Differences (${differences_count})`}
          {...(differences.length < differences_count && {
            text: `The first ${differences.length} are shown.`,
          })}
        >
          <Differences comparison={comparison} />
        </Section>
      )}
      <Section title="The file">
        <Facts
          rows={[
            ['Name', statement.file_name],
            ['SHA-256', statement.sha256],
            ['Uploaded by', statement.uploaded_by],
            ['Uploaded', <When key="uploaded" at={statement.uploaded_at} />],
          ]}
        />
      </Section>
    </>
  );
}

/** The bank has less than the customers' money, whether the statement agrees or not. */
function Shortage({ comparison }: { readonly comparison: StatementComparison }) {
  const { statement, customers_closing_balance: customers } = comparison;
  const bank = statement.closing_balance;
  if (bank === null || bank >= customers) return null;
  return (
    <Alert color="red" role="status" title="The bank holds less than customers have">
      The bank held <Cents value={bank} />, customers had <Cents value={customers} />. Fund the
      reserve with <Cents value={customers - bank} /> today, and find out why.
    </Alert>
  );
}

function toldOf({ differences_count, open_count }: StatementComparison): string {
  if (differences_count === 0)
    return 'Every line is in the ledger, but the closing balance is another: look at earlier days.';
  if (open_count === 0)
    return `${counted(differences_count, 'difference')}, all cleared up: the notes say what they are.`;
  return `${counted(open_count, 'difference')} to clear up.`;
}

function Totals({ comparison }: { readonly comparison: StatementComparison }) {
  const { statement, ledger_total, ledger_closing_balance, customers_closing_balance } = comparison;
  const { matched_by_reference, matched_by_amount } = comparison;
  const rows = [
    ['Movements of the day', statement.total, ledger_total],
    ['Closing balance', statement.closing_balance, ledger_closing_balance],
    [
      'Closing balance against what customers had',
      statement.closing_balance,
      customers_closing_balance,
    ],
  ] as const;
  return (
    <Section
      title="Totals"
      text={`${counted(matched_by_reference, 'line')} matched by reference, ${matched_by_amount} by amount and day alone.`}
    >
      <PlainTable
        label="Bank and ledger"
        columns={['What', 'Bank', 'Ledger', 'Difference']}
        right={['Bank', 'Ledger', 'Difference']}
      >
        {rows.map(([name, bank, ledger]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td ta="right">{bank === null ? 'not given' : <Cents value={bank} />}</Table.Td>
            <Table.Td ta="right">
              <Cents value={ledger} />
            </Table.Td>
            <Table.Td ta="right">{bank === null ? '' : <Cents value={bank - ledger} />}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </Section>
  );
}
