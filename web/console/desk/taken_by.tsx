import { Text } from '@mantine/core';
import type { DeskCase } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useSession } from '../../staff/api/session.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';

/** The person who has taken a case. */
export function TakenBy({ person }: { readonly person: DeskCase['assigned_to'] }) {
  const session = useSession();
  if (person === null)
    return (
      <Text component="span" inherit c="dimmed">
        Unassigned
      </Text>
    );
  return person.id === session.person?.id ? <Mark tone="good" text="you" /> : person.name;
}
