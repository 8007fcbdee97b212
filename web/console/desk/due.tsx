import { Text } from '@mantine/core';
import { useNow } from '../../staff/parts/clock.tsx';
import { Deadline } from '../../staff/parts/deadline.tsx';

interface DueProps {
  readonly at: string | null;
  readonly tenantId: string;
  /** Whether the service calls it late; absent: the clock decides. */
  readonly late?: boolean;
  /** Whether its time is real, not that of the Tenant's clock. */
  readonly isReal: boolean;
}

/** The time by which somebody must act, and how long that is from now. */
export function Due({ at, tenantId, late, isReal }: DueProps) {
  const now = useNow(tenantId, isReal);
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed">
        No deadline
      </Text>
    );
  return <Deadline at={at} now={now} isLate={late} />;
}
