import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { apiUrl, hasDocs } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Facts } from '../../staff/parts/facts.tsx';
import { CopyText } from '../../staff/parts/json_view.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { ClientSecrets } from '../../staff/tenant/credentials.tsx';
import { CodeBlock } from '../traffic/detail/code_block.tsx';

/** The credentials by which the Tenant's own servers call the API. */
export const Credentials = () => (
  <>
    <PageTitle title="Credentials" text="What your servers get their access tokens with." />
    <Stack gap="xl">
      <Connection />
      <ClientSecrets />
    </Stack>
  </>
);

const tokenCall = (clientId: string) => `TOKEN=$(curl -s ${apiUrl}/oauth/token \\
  -d grant_type=client_credentials \\
  -d client_id=${clientId} \\
  -d client_secret="$PAY_CLIENT_SECRET" \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
echo "$TOKEN"
`;

const nextCall = `curl -s ${apiUrl}/v1/customers \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: my-first-customer" \\
  -H "Content-Type: application/json" \\
  -d '{"type": "individual", "external_ref": "user-1", "email": "ana@example.com", "mobile_number": "+12025550142"}'
`;

/** A value with a button that copies it. */
const Copied = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Group gap="xs">
    <Code className="breaks">{value}</Code>
    <CopyText label={`Copy the ${name}`} text={value} />
  </Group>
);

/** The API's address and the client id, then the two calls with which every integration begins. */
function Connection() {
  const { data, error, refetch } = useRead('GET /portal/api/credentials', {});
  const clientId = data?.data[0]?.client_id;
  return (
    <Section
      title="Your first call"
      text="A token lives for an hour. Get one, then send it with every call."
    >
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {clientId !== undefined && (
        <>
          <Facts
            rows={[
              ['Base URL', <Copied key="url" name="base URL" value={apiUrl} />],
              ['Client id', <Copied key="id" name="client id" value={clientId} />],
            ]}
          />
          <Text size="sm">
            Put your client secret into <Code>PAY_CLIENT_SECRET</Code>. It is shown once, when it is
            made: if you have none at hand, make another one below.
          </Text>
          <CodeBlock title="Get a token" copy="Copy the token call" text={tokenCall(clientId)} />
          <CodeBlock title="Create a customer" copy="Copy the next call" text={nextCall} />
          {hasDocs && (
            <Text size="sm">
              <Anchor href="/docs/guide/quickstart" size="sm" underline="always">
                The quickstart
              </Anchor>{' '}
              goes on from there to a first payment.
            </Text>
          )}
        </>
      )}
    </Section>
  );
}
