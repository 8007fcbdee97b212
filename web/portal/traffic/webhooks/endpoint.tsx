import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../staff/api/call.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { holds, useSession } from '../../../staff/api/session.tsx';
import { useProven } from '../../../staff/api/step_up.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { Section } from '../detail/section.tsx';

const route = 'GET /portal/api/webhook-endpoint';

/** The first endpoint: its address, its switch, and its deliveries of late. */
export function Endpoint() {
  const { data, error, refetch } = useRead(route, {});
  const queries = useQueryClient();
  const proven = useProven();
  const mayChange = holds(useSession(), ['developer']);
  const [draft, setDraft] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (given: { url: string; enabled: boolean }) =>
      proven(() => call('PUT /portal/api/webhook-endpoint', given)),
    onSuccess: () => {
      setDraft(null);
      return queries.invalidateQueries({ queryKey: [route] });
    },
  });
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  const known = data?.url ?? null;
  const url = draft ?? known ?? '';
  const isEnabled = data?.enabled ?? false;
  return (
    <Section title="Endpoint" order={2}>
      <TextInput
        label="Address"
        description="https, or in the sandbox http on this machine"
        placeholder="https://shop.example/webhooks"
        type="url"
        value={url}
        readOnly={!mayChange}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      {save.error && <Trouble error={save.error} />}
      <Group>
        <Button
          disabled={!mayChange || url === '' || url === known}
          loading={save.isPending}
          onClick={() => save.mutate({ url, enabled: known === null || isEnabled })}
        >
          Save
        </Button>
        {known !== null && (
          <Switch
            label={isEnabled ? 'Events are sent' : 'No events are sent'}
            checked={isEnabled}
            disabled={!mayChange}
            onChange={({ currentTarget }) =>
              save.mutate({ url: known, enabled: currentTarget.checked })
            }
          />
        )}
      </Group>
      <WhatHappens isSet={known !== null} isEnabled={isEnabled} />
      {known !== null && <Health />}
    </Section>
  );
}

function WhatHappens({ isSet, isEnabled }: { isSet: boolean; isEnabled: boolean }) {
  if (!isSet)
    return (
      <Text size="sm" c="dimmed">
        Events are written from now on, and sent once an address is set.
      </Text>
    );
  return (
    <Text size="sm" c="dimmed">
      {isEnabled
        ? 'An event that is not answered with 2xx within 10 seconds is tried twelve times in 72 hours. Switched off, nothing is sent: events are kept, and none is lost.'
        : 'Events that are made meanwhile are kept. Enabling sends none of them by itself: use “Resend” on the page Deliveries. What was being retried ends as failed after its 72 hours.'}
    </Text>
  );
}

/** How the endpoint does, as the home page has it. */
function Health() {
  const { data } = useRead('GET /portal/api/overview', {});
  if (!data) return null;
  const { last_success_at, failure_streak } = data.endpoint;
  return (
    <Facts
      rows={[
        ['Last success', <When key="last" at={last_success_at} />],
        [
          'Failures since',
          failure_streak === 0 ? (
            'No failures'
          ) : (
            <Mark key="streak" tone="bad" text={String(failure_streak)} />
          ),
        ],
      ]}
    />
  );
}
