import { deadlineDay, timeLeft, wholeInstant } from '../../ui/dates.ts';

interface DeadlineProps {
  readonly at: string;
  /** On the clock that the deadline runs by. */
  readonly now: number;
  /** As the service says; absent: by the clock. */
  readonly isLate?: boolean | undefined;
}

/** By when somebody must act, in the bank's zone: `Fri, Jan 1, end of day ET · 34 days`. */
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
