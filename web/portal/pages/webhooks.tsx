import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isSandbox } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../traffic/detail/section.tsx';
import { Endpoint } from '../traffic/webhooks/endpoint.tsx';
import { FurtherEndpoints } from '../traffic/webhooks/further/list.tsx';
import { Secrets } from '../traffic/webhooks/secrets.tsx';
import { TestDelivery } from '../traffic/webhooks/test_delivery.tsx';

/** The endpoints to which events go, and the secrets that sign them. */
export function Webhooks() {
  const { data } = useRead('GET /portal/api/webhook-endpoint', {});
  const mayTest = holds(useSession(), ['developer', 'admin']);
  const isFirstReady = data?.url != null && data.enabled;
  const isReady = mayTest && isFirstReady;
  return (
    <>
      <PageTitle title="Webhooks" text="Where your events go, and what they are signed with." />
      <Stack gap="xl" maw={760}>
        <Endpoint />
        {isSandbox && (
          <Section title="Try it" order={2}>
            <TestDelivery mayTest={mayTest} isFirstReady={isFirstReady} />
          </Section>
        )}
        <Secrets isReady={isReady} />
        <FurtherEndpoints />
        <Section title="What is sent" order={2}>
          <Text size="sm">
            Every type with its schema, an example and its TypeScript type:{' '}
            <Anchor component={Link} to="/event-types" size="sm" underline="always">
              the event catalog
            </Anchor>
          </Text>
        </Section>
      </Stack>
    </>
  );
}
