import { Text } from '@mantine/core';

const short = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const whole = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'full',
  timeStyle: 'long',
});

/** An instant in the reader's own zone; the whole of it on hover. */
export function When({ at }: { readonly at: string | null }) {
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed">
        never
      </Text>
    );
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${whole.format(date)} (${at})`}>
      {short.format(date)}
    </time>
  );
}
