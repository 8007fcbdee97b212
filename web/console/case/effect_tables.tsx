import { Stack, Table, Text } from '@mantine/core';
import type { ApprovalEffect } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import type { ReactNode } from 'react';
import { Cents } from '../../staff/parts/cents.tsx';
import { placeOf } from '../../staff/parts/effect.tsx';
import { PlainTable } from '../../staff/parts/plain_table.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';
import { capitalized } from '../desk/words.ts';

type Change = ApprovalEffect['changes'][number];

const instant = /^\d{4}-\d\d-\d\dT/;
const amounts = /amount|balance|cents/;

function shown(field: string, value: Change['before']): ReactNode {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return amounts.test(field) ? <Cents value={value} /> : value;
  if (instant.test(value)) return <When at={value} />;
  return field.endsWith('status') ? <StateBadge state={value} /> : inWords(value);
}

/** Fields whose names say little. */
const fieldNames: Readonly<Record<string, string>> = { last4: 'Last four digits' };

/** Its own fields by their names; those of another record with what that is. */
const nameOf = ({ object, id, field }: Change, own: string) =>
  fieldNames[field] ??
  capitalized(inWords(`${id === own ? '' : `${object}: `}${field.replace(/_cents$/, '')}`));

interface EffectProps {
  /** The record that the case is about. */
  readonly id: string;
  readonly effect: ApprovalEffect;
}

/** What a move does: which money goes where, and what changes. */
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
              <Table.Td>{capitalized(placeOf(from))}</Table.Td>
              <Table.Td>{capitalized(placeOf(to))}</Table.Td>
              <Table.Td ta="right">
                <Cents value={amount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
      {told.length > 0 && (
        <PlainTable label="Changes" columns={['What changes', 'Before', 'After']}>
          {told.map((change) => (
            <Table.Tr key={`${change.id} ${change.field} ${String(change.before)}`}>
              <Table.Td>{nameOf(change, id)}</Table.Td>
              <Table.Td>{shown(change.field, change.before)}</Table.Td>
              <Table.Td>{shown(change.field, change.after)}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Stack>
  );
}
