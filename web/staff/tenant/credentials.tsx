import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCall } from '../api/queries.ts';
import { holds, useSession } from '../api/session.tsx';
import { useProven } from '../api/step_up.tsx';
import { SecretRotation } from '../parts/secret_rotation.tsx';
import { Trouble } from '../parts/trouble.tsx';

const may = ['developer', 'admin'] as const;

/** The secrets of the Tenant's client, and the end of its tokens. */
export const ClientSecrets = () => (
  <Stack gap="xl">
    <SecretRotation
      title="Client secrets"
      text="Two can be active at once. To rotate: make a second one, deploy it, then retire the first. The tokens that it gave live on for an hour at most."
      list="GET /portal/api/credentials"
      create="POST /portal/api/credentials"
      retire="DELETE /portal/api/credentials/:id"
      most={2}
      may={may}
    />
    <Tokens />
  </Stack>
);

function Tokens() {
  const proven = useProven();
  const call = useCall();
  const mayChange = holds(useSession(), may);
  const revoke = useMutation({
    mutationFn: () => proven(() => call('POST /portal/api/credentials/revoke-tokens', {})),
  });
  return (
    <section aria-labelledby="tokens">
      <Title order={2} size="h4" id="tokens" mb="xs">
        Access tokens
      </Title>
      <Stack gap="sm" maw={640}>
        <Text size="sm" c="dimmed">
          Ends every access token at once. Your servers get new ones with their secret.
        </Text>
        {revoke.error && <Trouble error={revoke.error} />}
        {revoke.data && (
          <Text size="sm" role="status">
            {revoke.data.revoked === 1 ? 'Ended 1 token.' : `Ended ${revoke.data.revoked} tokens.`}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            disabled={!mayChange}
            loading={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            End all access tokens
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
