import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type InputOf, type ReplyOf } from '../../../staff/api/call.ts';
import { Fold } from '../../../staff/parts/fold.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { AttemptView } from '../detail/attempt_view.tsx';
import { ToEvent } from '../detail/links.tsx';
import { useTestEndpoint } from './test_endpoint.tsx';

const route = 'POST /portal/api/webhook-endpoint/test';
export type TestInput = InputOf<typeof route>;
export type TestReply = ReplyOf<typeof route>;

/** Sends a sample event and waits for what comes back. */
export function useTestDelivery() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: TestInput) => call(route, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/overview'] }),
  });
}

const isAccepted = ({ attempt }: TestReply): boolean => {
  const status = attempt?.response_status ?? 0;
  return status >= 200 && status < 300;
};

/** The result of a test delivery, in words and in full. */
export function TestResult({ reply }: { readonly reply: TestReply }) {
  const { attempt, event_id } = reply;
  return (
    <Stack gap="sm" role="status">
      <Group gap="xs">
        <Mark tone={isAccepted(reply) ? 'good' : 'bad'} text={titleOf(reply)} />
        <ToEvent id={event_id} />
      </Group>
      {attempt && (
        <Fold summary="What was sent and what came back">
          <AttemptView attempt={attempt} />
        </Fold>
      )}
    </Stack>
  );
}

function titleOf(reply: TestReply): string {
  const { attempt } = reply;
  if (attempt === null) return 'Not sent yet: the endpoint is busy. The event stays queued.';
  if (attempt.response_status === null)
    return `No answer: ${(attempt.error ?? '').replaceAll('_', ' ')}`;
  const words = isAccepted(reply) ? 'Accepted' : 'Not accepted';
  return `${words}: answered ${attempt.response_status} in ${attempt.duration_ms} ms`;
}

interface TestDeliveryProps {
  readonly mayTest: boolean;
  /** The first endpoint is set and switched on. */
  readonly isFirstReady: boolean;
}

/** A sample event at the press of a button. */
export function TestDelivery({ mayTest, isFirstReady }: TestDeliveryProps) {
  const test = useTestDelivery();
  const { choice, input, isReady } = useTestEndpoint(isFirstReady);
  return (
    <Stack gap="sm">
      {choice}
      <Group>
        <Button
          variant="default"
          disabled={!mayTest || !isReady}
          loading={test.isPending}
          onClick={() => test.mutate(input)}
        >
          Send a test event
        </Button>
        <Text size="sm" c="dimmed">
          {isReady
            ? 'A sample of payment.completed, signed and sent like any other.'
            : 'Set an address and switch it on first.'}
        </Text>
      </Group>
      {test.error && <Trouble error={test.error} />}
      {test.data && <TestResult reply={test.data} />}
    </Stack>
  );
}
