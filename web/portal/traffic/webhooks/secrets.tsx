import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { type ReactNode, useState } from 'react';
import { call, type ReplyOf } from '../../../staff/api/call.ts';
import { isSandbox } from '../../../staff/api/environment.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Retire } from '../../../staff/parts/retire.tsx';
import { ShownOnce } from '../../../staff/parts/secret_rotation.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { CodeBlock } from '../detail/code_block.tsx';
import { Section } from '../detail/section.tsx';
import { TestResult, useTestDelivery } from './test_delivery.tsx';

const route = 'GET /portal/api/webhook-secrets';
type Secret = ReplyOf<typeof route>['data'][number];

const mostActive = 3;
const dayMs = 86_400_000;

/** The age of a secret by the Tenant's clock. */
function ageOf(createdAt: string, now: string | undefined): string {
  if (now === undefined) return '';
  const days = Math.floor((Date.parse(now) - Date.parse(createdAt)) / dayMs);
  if (days < 1) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
}

/** The secrets, and their rotation step by step. */
export function Secrets({ isReady }: { readonly isReady: boolean }) {
  const { data, error, refetch } = useRead(route, {});
  const { data: clock } = useRead('GET /portal/api/clock', {});
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const all = data?.data ?? [];
  const active = all.filter(({ retired_at }) => retired_at === null);
  return (
    <>
      <Section title="Signing secrets" order={2}>
        <Text size="sm" c="dimmed">
          Each event is signed with every active secret. A receiver needs to know one of them.
        </Text>
        <PlainTable
          label="Secrets and their states"
          columns={['Secret', 'State', 'Created', 'Age', 'Retired']}
        >
          {all.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td>
                <ShortId id={one.id} />
              </Table.Td>
              <Table.Td>
                <Mark
                  tone={one.retired_at === null ? 'good' : 'plain'}
                  text={one.retired_at === null ? 'signs' : 'retired'}
                />
              </Table.Td>
              <Table.Td>
                <When at={one.created_at} />
              </Table.Td>
              <Table.Td>{ageOf(one.created_at, clock?.now)}</Table.Td>
              <Table.Td>{one.retired_at && <When at={one.retired_at} />}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      </Section>
      <Rotation active={active} isReady={isReady} />
    </>
  );
}

const bothSecrets = `import { createReceiver } from '@tenant-payments/sdk-server';

const { OLD_SECRET = '', NEW_SECRET = '' } = process.env;
export const receiver = createReceiver({
  secrets: [OLD_SECRET, NEW_SECRET],
  onRecord: {
    payment: (payment) => console.log(payment.id, payment.status),
  },
});
`;

interface StepProps {
  readonly title: string;
  readonly text: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

const Step = ({ title, text, isDone = false, children }: StepProps) => (
  <li>
    <Stack gap="xs" mb="md">
      <Text fw={600} size="sm" component="div">
        {title} {isDone && <Mark tone="good" text="done" />}
      </Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </Stack>
  </li>
);

interface RotationProps {
  /** The newest first. */
  readonly active: readonly Secret[];
  readonly isReady: boolean;
}

/** A new secret in place of the old one, without an event that cannot be verified. */
function Rotation({ active, isReady }: RotationProps) {
  const queries = useQueryClient();
  const proven = useProven();
  const mayChange = holds(useSession(), ['developer']);
  const [ending, setEnding] = useState<string | null>(null);
  const again = () => queries.invalidateQueries({ queryKey: [route] });
  const making = useMutation({
    mutationFn: () => proven(() => call('POST /portal/api/webhook-secrets', {})),
    onSuccess: again,
  });
  const retiring = useMutation({
    mutationFn: (id: string) =>
      proven(() => call('DELETE /portal/api/webhook-secrets/:id', { id })),
    onSuccess: () => {
      setEnding(null);
      return again();
    },
  });
  const [newest, ...older] = active;
  const isBegun = older.length > 0;
  return (
    <Section title="Rotate the secret" order={2}>
      <ol className="rotation-steps">
        <Step
          title="Make a second secret"
          text="From then on both sign: each event has a v1 item for each of them."
          isDone={isBegun}
        >
          <Group>
            <Button
              variant="default"
              disabled={!mayChange || active.length >= mostActive}
              loading={making.isPending}
              onClick={() => making.mutate()}
            >
              Make another secret
            </Button>
          </Group>
          {making.error && <Trouble error={making.error} />}
          {making.data && <ShownOnce value={making.data.secret} />}
        </Step>
        <Step
          title="Deploy it beside the old one"
          text="Your receiver accepts an event that either of them has signed."
        >
          <CodeBlock title="Both secrets" copy="Copy the receiver" text={bothSecrets} />
        </Step>
        <TestAlone newest={newest} isOpen={isBegun} isReady={isReady} />
        <Step
          title="Retire the old one"
          text="Within a second it signs nothing more. The last active secret cannot be retired."
        >
          {older.map(({ id }) => (
            <Group key={id} gap="xs">
              <Button variant="default" disabled={!mayChange} onClick={() => setEnding(id)}>
                {`Retire ${shortened(id)}`}
              </Button>
            </Group>
          ))}
          {!isBegun && (
            <Text size="sm" c="dimmed">
              One secret is active: there is none to retire.
            </Text>
          )}
          <Retire
            id={ending}
            text="receivers that know it alone refuse every further event."
            error={retiring.error}
            isBusy={retiring.isPending}
            onRetire={(id) => retiring.mutate(id)}
            onClose={() => setEnding(null)}
          />
        </Step>
      </ol>
    </Section>
  );
}

interface TestAloneProps {
  readonly newest: Secret | undefined;
  readonly isOpen: boolean;
  readonly isReady: boolean;
}

/** The service cannot see which secret a receiver uses: an event signed by one alone shows it. */
function TestAlone({ newest, isOpen, isReady }: TestAloneProps) {
  const test = useTestDelivery();
  if (!isSandbox)
    return (
      <Step
        title="Wait until every receiver has it"
        text="A test that the new secret alone signs can be sent in the sandbox."
      />
    );
  return (
    <Step
      title="Test with the new one alone"
      text="A sample event that only the newest secret signs: a receiver that accepts it knows the new one."
    >
      <Group>
        <Button
          variant="default"
          disabled={!isOpen || !isReady || !newest}
          loading={test.isPending}
          onClick={() => newest && test.mutate({ secret_id: newest.id })}
        >
          Test with the new one alone
        </Button>
      </Group>
      {test.error && <Trouble error={test.error} />}
      {test.data && <TestResult reply={test.data} />}
    </Step>
  );
}
