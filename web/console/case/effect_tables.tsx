import { Stack, Table, Text } from '@mantine/core';
import type { ApprovalEffect } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { within } from '@tenant-payments/contract/core/fields/field.ts';
import { fieldOf, objectWords } from '@tenant-payments/contract/core/fields/records.ts';
import { useTenant } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { ChangeTable } from '../../staff/parts/change_table.tsx';
import { placeOf } from '../../staff/parts/effect.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { capitalized } from '../desk/words.ts';

type Change = ApprovalEffect['changes'][number];

/** Records whose fields are named by themselves: the settings, a Tenant's own bank account. */
const isWhole = ['settings', 'own_bank_account'];

/** The label of a changed field: a field of another record is named with that record's kind. */
function shownField({ object, id, field: name, before, after }: Change, own: string) {
  const field = fieldOf(object, name, after ?? before);
  if (id === own || isWhole.includes(object)) return field;
  return { ...field, label: `${objectWords(object)}: ${within(field.label)}` };
}

interface EffectProps {
  /** The record that the case is about. */
  readonly id: string;
  readonly effect: ApprovalEffect;
}

/** A pocket, by the name of whoever has the account. */
function Place({ of }: { readonly of: string }) {
  const [account = '', pocket = ''] = of.split('.');
  const isInTenant = useTenant() !== null;
  if (account === 'tenant' || !isInTenant) return capitalized(placeOf(of));
  return (
    <>
      {`${capitalized(pocket.replaceAll('_', ' '))} of `}
      <RecordLink id={account} isBare />
    </>
  );
}

/** The effect of a move: the money that it moves, and the values that it changes. */
export function EffectTables({ id, effect: { postings, changes } }: EffectProps) {
  const told = changes.filter(({ field }) => !field.endsWith('updated_at'));
  return (
    <Stack gap="sm">
      {postings.length === 0 ? (
        <Text size="sm">No money moves.</Text>
      ) : (
        <PlainTable label="Money" columns={['From', 'To', 'Amount']} right={['Amount']}>
          {postings.map(({ from, to, amount }, at) => (
            // Two postings may be alike.
            <Table.Tr key={`${from} ${to} ${String(at)}`}>
              <Table.Td>
                <Place of={from} />
              </Table.Td>
              <Table.Td>
                <Place of={to} />
              </Table.Td>
              <Table.Td ta="right">
                <Cents value={amount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
      <ChangeTable
        label="Changes"
        changes={told.map((change) => ({
          key: `${change.id} ${change.field} ${String(change.before)}`,
          field: shownField(change, id),
          before: change.before,
          after: change.after,
        }))}
      />
    </Stack>
  );
}
