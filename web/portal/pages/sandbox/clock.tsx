import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ClockJump, Upcoming } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import { useState } from 'react';
import { call, type InputOf, type ReplyOf } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { counted, lengthOf } from '../../../staff/parts/tell.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { UpcomingTable } from './upcoming.tsx';

type Step = InputOf<'POST /portal/api/clock/advance'>;
type ClockReply = ReplyOf<'GET /portal/api/clock'>;

/** How an advance ended, with what was due on its way. */
interface Moved {
  readonly clock: ClockReply;
  readonly ran: readonly Upcoming[];
}

const steps = [
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['1 week', 7 * 86_400],
] as const;

const jumpNames: Readonly<Record<ClockJump['name'], string>> = {
  next_retry: 'Next retry',
  next_due: 'Next job',
  business_day: 'Next business day, 06:00 Eastern',
  month_end: 'End of the month',
};

const everyMs = 15_000;

/** The Tenant's time, what falls due, and the ways forward. */
export function Clock() {
  const queries = useQueryClient();
  const mayMove = holds(useSession(), ['developer', 'admin']);
  const clock = useRead('GET /portal/api/clock', {}, everyMs);
  const upcoming = useRead('GET /portal/api/clock/upcoming', {}, everyMs);
  const jumps = useRead('GET /portal/api/clock/jumps', {}, everyMs);
  const due = upcoming.data?.data ?? [];
  const move = useMutation({
    mutationFn: async (step: Step): Promise<Moved> => {
      const moved = await call('POST /portal/api/clock/advance', step);
      return { clock: moved, ran: due.filter(({ at }) => at <= moved.now) };
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const error = clock.error ?? upcoming.error ?? jumps.error;
  return (
    <Section
      title="Clock"
      text="Your time only moves forward. Whatever falls due on the way runs in its order: retries, expiries, statements, deadlines. Signatures and access tokens follow real time."
    >
      {error && <Trouble error={error} onRetry={() => void queries.invalidateQueries()} />}
      {clock.data && <Times clock={clock.data} />}
      <Group gap="xs">
        {jumps.data?.data.map(({ name, at, does }) => (
          <Button
            key={name}
            variant="default"
            title={does}
            disabled={!mayMove || at === null}
            loading={move.isPending && move.variables.to === at}
            onClick={() => at !== null && move.mutate({ to: at })}
          >
            {jumpNames[name]}
          </Button>
        ))}
        {steps.map(([label, seconds]) => (
          <Button
            key={label}
            variant="default"
            disabled={!mayMove}
            loading={move.isPending && move.variables.seconds === seconds}
            onClick={() => move.mutate({ seconds })}
          >
            {`Forward ${label}`}
          </Button>
        ))}
      </Group>
      <AnyTime isOff={!mayMove} isBusy={move.isPending} onGo={(to) => move.mutate({ to })} />
      {move.error && <Trouble error={move.error} />}
      {move.data && <Done moved={move.data} />}
      <UpcomingTable
        rows={due}
        isOff={!mayMove || move.isPending}
        onGo={(to) => move.mutate({ to })}
      />
    </Section>
  );
}

function Times({ clock: { now, real_now } }: { readonly clock: ClockReply }) {
  const aheadMs = Date.parse(now) - Date.parse(real_now);
  return (
    <Facts
      rows={[
        ['Your time', <When key="now" at={now} isDate />],
        ['Real time', <When key="real" at={real_now} isDate />],
        ['Ahead by', aheadMs < 1_000 ? 'Nothing: both are the same' : lengthOf(aheadMs)],
      ]}
    />
  );
}

interface AnyTimeProps {
  readonly isOff: boolean;
  readonly isBusy: boolean;
  readonly onGo: (to: string) => void;
}

/** Any time, as the reader's own clock would show it. */
function AnyTime({ isOff, isBusy, onGo }: AnyTimeProps) {
  const [local, setLocal] = useState('');
  const at = local === '' ? null : new Date(local);
  const isTime = at !== null && !Number.isNaN(at.getTime());
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        type="datetime-local"
        label="Any later time"
        description="In your own time zone. Events older than 30 days are no longer listed."
        value={local}
        onChange={({ currentTarget }) => setLocal(currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={isOff || !isTime}
        loading={isBusy}
        onClick={() => at && onGo(at.toISOString())}
      >
        Go there
      </Button>
    </Group>
  );
}

/** The result of an advance. Jobs that it scheduled itself are counted, and no longer upcoming. */
function Done({ moved: { clock, ran } }: { readonly moved: Moved }) {
  const title =
    clock.pending > 0
      ? `Ran ${counted(clock.fired, 'job or attempt', 'jobs and attempts')}; ${clock.pending} are still running. Move again to go on.`
      : `Ran ${counted(clock.fired, 'job or attempt', 'jobs and attempts')}.`;
  return (
    <Alert color={clock.pending > 0 ? 'yellow' : 'green'} role="status" title={title}>
      <Stack gap={4}>
        <Text size="sm">
          Your time is now <When at={clock.now} isDate />.
        </Text>
        {ran.length > 0 && (
          <List size="sm">
            {ran.map(({ name, record_id, does, at }) => (
              <List.Item key={`${name} ${record_id} ${at}`} className="breaks">
                <When at={at} /> {does}
                {record_id && (
                  <>
                    {': '}
                    <RecordLink id={record_id} isBare />
                  </>
                )}
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  );
}
