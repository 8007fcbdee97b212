import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { capitalized } from '@tenant-payments/contract/core/fields/field.ts';
import { Failed } from '../api/call.ts';
import { inWords } from './tell.ts';

/** The title of a failure, and the advice that follows it. */
function wordsOf(error: Error): { title: string; text: string; requestId: string | null } {
  if (!(error instanceof Failed))
    return { title: 'Something went wrong', text: error.message, requestId: null };
  const { failure, text } = error;
  const { requestId } = failure;
  switch (failure.kind) {
    case 'offline':
      return { title: 'No connection', text, requestId };
    case 'busy':
      return { title: 'Too many requests', text: `Wait ${failure.seconds} seconds.`, requestId };
    case 'lost':
      return { title: 'Your session has ended', text: 'Sign in again.', requestId };
    case 'service':
      return { title: 'The service failed', text: 'Try again in a moment.', requestId };
    default:
      return failure.code === 'forbidden'
        ? { title: 'Your role does not allow this', text, requestId }
        : { title: capitalized(inWords(failure.code)), text, requestId };
  }
}

/** Why something could not be read or done, with the request id for support. */
export function Trouble({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { title, text, requestId } = wordsOf(error);
  return (
    <Alert color="red" title={title} role="alert">
      <Stack gap="xs" align="flex-start" className="breaks">
        <Text size="sm">{text}</Text>
        {requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
        )}
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
