import { Text } from '@mantine/core';

const day = { month: 'short', day: 'numeric' } as const;
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const inYear = new Intl.DateTimeFormat('en-US', { ...day, ...minute });
const inOtherYear = new Intl.DateTimeFormat('en-US', { ...day, year: 'numeric', ...minute });
const toSecond = new Intl.DateTimeFormat('en-US', { ...day, ...minute, second: '2-digit' });
const whole = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'full',
  timeStyle: 'long',
});

const isThisYear = (date: Date): boolean => date.getFullYear() === new Date().getFullYear();

interface WhenProps {
  readonly at: string | null;
  /** In a log, where seconds tell one row from the next. */
  readonly isExact?: true;
}

/** An instant in the reader's own zone, with its year where that is another; the whole of it on hover. */
export function When({ at, isExact }: WhenProps) {
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed">
        never
      </Text>
    );
  const date = new Date(at);
  const form = isExact ? toSecond : isThisYear(date) ? inYear : inOtherYear;
  return (
    <time dateTime={at} title={`${whole.format(date)} (${at})`}>
      {form.format(date)}
    </time>
  );
}
