import { deadlineDay, timeLeft, wholeInstant } from '../../ui/dates.ts';

interface DeadlineProps {
  readonly at: string;
  /** The present in milliseconds, on the clock by which the deadline runs. */
  readonly now: number;
  /** Whether the service calls it late; absent: the clock decides. */
  readonly isLate?: boolean | undefined;
}

/**
 * The time by which somebody must act, in the bank's zone: `Fri, Jan 1, end of day ET · 34 days`.
 */
export function Deadline({ at, now, isLate = Date.parse(at) <= now }: DeadlineProps) {
  const left = timeLeft(at, now);
  const said = isLate && !left.startsWith('late') ? 'late' : left;
  return (
    <>
      <time dateTime={at} title={`${wholeInstant(at)} (${at})`}>
        {deadlineDay(at, now)}
      </time>
      {' · '}
      <span className={isLate ? 'is-late' : 'figures'}>{said}</span>
    </>
  );
}
