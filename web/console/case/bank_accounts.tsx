import { Anchor, Stack, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { PlainTable, RowButton } from '../../staff/parts/plain_table.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Mark, StateBadge } from '../../staff/parts/state_badge.tsx';
import { isolated } from '../../ui/isolated.ts';
import { moveName } from '../desk/words.ts';
import { useBegun } from '../money/use_begun.tsx';

const option = { move: 'lift_opt_out', required: ['note'] };

/** The customer's bank accounts, and those whose customer has told the bank that they take no requests. */
export function BankAccounts({ file }: { readonly file: CaseFile }) {
  const { tenant_id, bank_accounts } = file;
  const { begin, dialog, ended } = useBegun();
  if (bank_accounts.length === 0) return null;
  return (
    <Section title="Bank accounts">
      {ended}
      <PlainTable label="Accounts at banks" columns={['Bank account', 'State']}>
        {bank_accounts.map(({ id, institution_name, account_mask, status, opted_out }) => (
          <Table.Tr key={id}>
            <Table.Td className="breaks">
              <Anchor
                component={Link}
                to="/case/$tenantId/$resource/$id"
                params={{ tenantId: tenant_id, resource: 'linked-accounts', id } as never}
                size="sm"
              >
                {`${isolated(institution_name)} …${account_mask}`}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {opted_out ? (
                <Stack gap="xs" align="flex-start">
                  <Mark tone="warning" text="takes no requests" />
                  <RowButton
                    text={moveName('lift_opt_out')}
                    label={`${moveName('lift_opt_out')}: ${institution_name} …${account_mask}`}
                    isBusy={false}
                    onClick={() =>
                      begin({ subject: { tenant_id, resource: 'linked-accounts', id }, option })
                    }
                  />
                </Stack>
              ) : (
                <StateBadge state={status} />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      {dialog}
    </Section>
  );
}
