import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type {
  StatementComparison,
  StatementDifference,
} from '@tenant-payments/backoffice/contract/money/bank_statements.ts';
import { useState } from 'react';
import { TenantProvider } from '../../staff/api/queries.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { money } from '../../ui/money.ts';
import { DifferenceNote } from './difference_note.tsx';
import { stepInWords } from './steps.ts';

const kinds: Readonly<Record<StatementDifference['kind'], string>> = {
  bank_only: 'At the bank only',
  ledger_only: 'In the ledger only',
  other_amount: 'Other amount',
};

/** The usual reason of each kind of difference, and the place to look for its money. */
const meanings: Readonly<
  Record<StatementDifference['kind'], (difference: StatementDifference) => string>
> = {
  bank_only: ({ bank_amount }) =>
    (bank_amount ?? 0) > 0
      ? 'The bank has money of which the ledger does not know: look for its message, or for money of another day.'
      : 'The bank has paid or kept money without an order: a fee, or an order of another day.',
  ledger_only: () =>
    'The ledger expects it and the bank does not show it: it may stand on the next day.',
  other_amount: () => 'The same order with another amount: the ledger is off by the difference.',
};

/** The cents by which the ledger would have to change; 0: none. */
const missing = ({ bank_amount, ledger_amount }: StatementDifference): number =>
  (bank_amount ?? 0) - (ledger_amount ?? 0);

interface DifferencesProps {
  readonly comparison: StatementComparison;
}

/** The differences of a statement, each with what it is and what can be done about it. */
export function Differences({ comparison: { statement, differences } }: DifferencesProps) {
  const [noted, setNoted] = useState<StatementDifference | null>(null);
  return (
    <>
      <Stack gap="sm" component="ol" className="plain-list" aria-label="Differences">
        {differences.map((one) => (
          <Difference
            key={one.key}
            difference={one}
            tenantId={one.tenant_id ?? statement.tenant_id}
            onNote={() => setNoted(one)}
          />
        ))}
      </Stack>
      <DifferenceNote
        statementId={statement.id}
        difference={noted}
        onClose={() => setNoted(null)}
      />
    </>
  );
}

interface DifferenceProps {
  readonly difference: StatementDifference;
  readonly tenantId: string | null;
  readonly onNote: () => void;
}

function Difference({ difference, tenantId, onNote }: DifferenceProps) {
  const { kind, line, description, reference, source_id, step, notes, cleared } = difference;
  const named = line === null ? 'the posting' : `line ${line}`;
  return (
    <li className="card">
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <Text fw={600}>{`${kinds[kind]}${line === null ? '' : `, line ${line}`}`}</Text>
            <Mark tone={cleared ? 'good' : 'warning'} text={cleared ? 'cleared' : 'open'} />
          </Group>
          <Amounts difference={difference} />
        </Group>
        {!cleared && (
          <Text size="sm" c="dimmed">
            {meanings[kind](difference)}
          </Text>
        )}
        {(description || reference) && (
          <Text size="sm" className="breaks">
            {[description, reference].flatMap((text) => (text ? [isolated(text)] : [])).join(', ')}
          </Text>
        )}
        {source_id && (
          <Group gap="xs">
            <Text size="sm">{step && stepInWords(step)}</Text>
            <TenantProvider value={tenantId}>
              <RecordLink id={source_id} />
            </TenantProvider>
          </Group>
        )}
        {notes.map(({ note, by, created_at }) => (
          <Text key={created_at} size="sm" className="breaks">
            {isolated(note)}{' '}
            <Text component="span" size="xs" c="dimmed">
              {by}, <When at={created_at} />
            </Text>
          </Text>
        ))}
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${cleared ? 'Open again' : 'Clear'}: ${named}`}
            onClick={onNote}
          >
            {cleared ? 'Open again' : 'Clear'}
          </Button>
          {!cleared && <Ways difference={difference} tenantId={tenantId} />}
        </Group>
      </Stack>
    </li>
  );
}

const amounts = [
  ['Bank', 'bank_amount'],
  ['Ledger', 'ledger_amount'],
] as const;

/** The amounts of the bank and of the ledger, and their difference. */
const Amounts = ({ difference }: Pick<DifferenceProps, 'difference'>) => (
  <Group gap="md">
    {amounts.map(([name, field]) => {
      const value = difference[field];
      return (
        value !== null && (
          <Text key={name} size="sm" component="div">
            {name} <Cents value={value} />
          </Text>
        )
      );
    })}
    {difference.kind === 'other_amount' && (
      <Text size="sm" fw={600} component="div">
        Off by <Cents value={missing(difference)} />
      </Text>
    )}
  </Group>
);

/** The ways to what books it: a message, money that waits, an adjustment. */
function Ways({ difference, tenantId }: Omit<DifferenceProps, 'onNote'>) {
  const { kind, bank_amount, source_id } = difference;
  const amount = missing(difference);
  const of: Readonly<Record<string, string>> = tenantId === null ? {} : { tenant_id: tenantId };
  const isUnknownMoney = kind === 'bank_only' && (bank_amount ?? 0) > 0;
  const adjusts = { ...of, amount: (amount / 100).toFixed(2), find: source_id ?? '' };
  return (
    <>
      {isUnknownMoney && (
        <>
          <Way to="/money/unmatched" search={of} text="Look in unmatched money" />
          <Way to="/money/messages" search={{}} text="Look for its message" />
        </>
      )}
      {tenantId !== null && kind !== 'ledger_only' && (
        <Way
          to="/money/adjustments"
          search={adjusts}
          text={`Adjust an account by ${money(amount, 'en')}`}
        />
      )}
    </>
  );
}

interface WayProps {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly text: string;
}

const Way = ({ to, search, text }: WayProps) => (
  <Button component={Link} to={to} search={search as never} size="compact-sm" variant="default">
    {text}
  </Button>
);
