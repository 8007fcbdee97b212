import { Skeleton, Table, Text } from '@mantine/core';
import { toneOfState } from '@tenant-payments/contract/tones.ts';
import { Cents } from '../../staff/parts/cents.tsx';
import { PlainTable, RowButton } from '../../staff/parts/plain_table.tsx';
import { RecordLink } from '../../staff/parts/record_link.tsx';
import { Mark, StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { money } from '../../ui/money.ts';
import { type Movement, type Span, useActivity } from './activity.ts';

interface ActivityProps {
  readonly customerId: string;
  readonly span?: Span;
  /** The movement that a dispute is about. */
  readonly disputed?: string | null;
  /** Takes the amount of a movement; absent: they are looked at only. */
  readonly onChoose?: ((movement: Movement) => void) | undefined;
}

/** Whether its money went, or is on its way; it may have come back since. */
const isMoved = ({ status, resource }: Movement) =>
  status !== 'canceled' && !['failed', 'action'].includes(toneOfState(status, resource));

const columns = ['What', 'With', 'Amount', 'State', 'When'];

/** The movements of a customer's money, with whom and how much. */
export function Activity({ customerId, span = {}, disputed = null, onChoose }: ActivityProps) {
  const { movements, isPending, error, readAgain } = useActivity(customerId, span);
  if (error) return <Trouble error={error} onRetry={readAgain} />;
  if (isPending) return <Skeleton height={120} role="status" aria-label="Loading the activity" />;
  if (movements.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No money moved.
      </Text>
    );
  return (
    <PlainTable
      label={onChoose ? 'Movements to choose from' : 'Movements of money'}
      columns={columns}
      right={['Amount']}
      hasActions={onChoose !== undefined}
    >
      {movements.map((movement) => (
        <Table.Tr key={movement.id}>
          <Table.Td>
            {movement.what} {movement.id === disputed && <Mark tone="warning" text="disputed" />}
          </Table.Td>
          <Table.Td>
            <RecordLink id={movement.id} isBare />
          </Table.Td>
          <Table.Td ta="right">
            <Cents value={movement.amount} />
          </Table.Td>
          <Table.Td>
            <StateBadge state={movement.status} resource={movement.resource} />
          </Table.Td>
          <Table.Td>
            <When at={movement.at} />
          </Table.Td>
          {onChoose && (
            <Table.Td ta="right">
              {isMoved(movement) && (
                <RowButton
                  text={`Use ${money(movement.amount, 'en')}`}
                  label={`Use ${money(movement.amount, 'en')}: ${movement.what}`}
                  isBusy={false}
                  onClick={() => onChoose(movement)}
                />
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </PlainTable>
  );
}
