import { Button, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession } from '@tenant-payments/contract/portal/people/session.ts';
import { call, Failed } from '../api/call.ts';
import { Trouble } from '../parts/trouble.tsx';

/** Before a page can be shown: who is it, and for which Tenant? */
export function Starting({ session }: { readonly session: UseQueryResult<CurrentSession, Error> }) {
  const { data, error, refetch } = session;
  if (data) return <Choosing session={data} onChosen={() => void refetch()} />;
  if (error instanceof Failed && error.failure.kind === 'lost') {
    sessionStorage.setItem('portal_page', location.pathname + location.search);
    location.assign('/portal/sign-in');
    return null;
  }
  return (
    <Center mih="100vh" p="md">
      {error ? (
        <Trouble error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader aria-label="Loading" />
      )}
    </Center>
  );
}

function Choosing({ session, onChosen }: { session: CurrentSession; onChosen: () => void }) {
  const tenants = session.scopes.filter(({ scope }) => scope !== 'platform');
  const act = useMutation({
    mutationFn: (scope: string) => call('POST /portal/api/session/act', { scope }),
    onSuccess: onChosen,
  });
  return (
    <Container size="xs" py="xl" component="main">
      <Stack>
        <Title order={1} size="h2">
          Choose a tenant
        </Title>
        <Text c="dimmed">
          {tenants.length > 0
            ? 'The portal shows one tenant at a time.'
            : 'You are not a member of any tenant yet. Ask an owner for an invitation.'}
        </Text>
        {act.error && <Trouble error={act.error} />}
        {tenants.map(({ scope, name }) => (
          <Button
            key={scope}
            variant="default"
            loading={act.isPending && act.variables === scope}
            onClick={() => act.mutate(scope)}
          >
            {name}
          </Button>
        ))}
        <Button component="a" href="/portal/sign-in" variant="subtle">
          Your sign-in
        </Button>
      </Stack>
    </Container>
  );
}
