import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BankStatement } from '@tenant-payments/backoffice/contract/money/bank_statements.ts';
import { given, useAddress } from '../../staff/api/address.ts';
import { usePages } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { When } from '../../staff/parts/when.tsx';
import { Paged } from '../money/paged.tsx';
import { UploadStatement } from '../money/upload_statement.tsx';
import { TenantFilter } from '../tenants/tenant_filter.tsx';

const Row = ({ statement }: { readonly statement: BankStatement }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor
        component={Link}
        to="/money/statements/$id"
        params={{ id: statement.id } as never}
        size="sm"
      >
        {statement.day}
      </Anchor>
      <Text size="xs" c="dimmed">
        {statement.tenant_name ?? 'Pooled account'}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{statement.lines}</Table.Td>
    <Table.Td ta="right">
      <Cents value={statement.total} />
    </Table.Td>
    <Table.Td ta="right">
      {statement.closing_balance === null ? (
        'not given'
      ) : (
        <Cents value={statement.closing_balance} />
      )}
    </Table.Td>
    <Table.Td className="breaks">{statement.file_name}</Table.Td>
    <Table.Td>
      {statement.uploaded_by}
      <Text size="xs" c="dimmed">
        <When at={statement.uploaded_at} />
      </Text>
    </Table.Td>
  </Table.Tr>
);

/** The bank's statements that were uploaded, and a new one. */
export function BankStatements() {
  const [filters, set] = useAddress(['tenant_id']);
  const pages = usePages('GET /portal/api/bank-statements', given(filters));
  return (
    <>
      <PageTitle
        title="Bank statements"
        text="What the bank says of a day, line by line beside the cash in the ledger."
      />
      <Stack gap="xl">
        <UploadStatement />
        <Section title="Uploaded">
          <Group role="search" aria-label="Filters">
            <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
          </Group>
          <Paged
            label="Bank statements"
            pages={pages}
            columns={['Day', 'Lines', 'Total', 'Closing balance', 'File', 'Uploaded by']}
            right={['Lines', 'Total', 'Closing balance']}
            empty="No statement was uploaded yet."
            row={(statement) => <Row key={statement.id} statement={statement} />}
          />
        </Section>
      </Stack>
    </>
  );
}
