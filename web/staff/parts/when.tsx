import { Text } from '@mantine/core';
import { logInstant, relativeInstant, shortInstant, wholeInstant } from '../../ui/dates.ts';
import { useClock } from './clock.tsx';

interface WhenProps {
  readonly at: string | null;
  /** The time is for a log, where seconds tell one row from the next. */
  readonly isExact?: true;
  /** The time is for a sentence, behind `since` or `until`. */
  readonly isDate?: true;
  /** The time is real, not that of the Tenant's clock. */
  readonly isReal?: true;
}

/** An instant in the reader's own zone: `3 hours ago`, or its date; all that is known of it on hover. */
export function When({ at, isExact, isDate, isReal }: WhenProps) {
  const { now, isSure } = useClock(isReal ?? false);
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed">
        Never
      </Text>
    );
  // A Tenant's clock may be ahead of ours: so what lies ahead of ours may have been long ago.
  const canSay = !isDate && (isSure || Date.parse(at) <= now);
  const words = (canSay && relativeInstant(at, now)) || shortInstant(at, now);
  return (
    <time dateTime={at} title={`${wholeInstant(at)} (${at})`}>
      {isExact ? logInstant(at, now) : words}
    </time>
  );
}
