import { Button, Center, Container, Loader, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CurrentSession, Scope } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useEffect } from 'react';
import { keepPage } from '../../ui/kept_page.ts';
import { call, Failed } from '../api/call.ts';
import { Trouble } from '../parts/trouble.tsx';

/** A page is on its way. */
export const Coming = () => (
  <Center mih="100vh" p="md">
    <Loader aria-label="Loading" />
  </Center>
);

/** The page while it is not known yet who is signed in. */
export function Starting({ session }: { readonly session: UseQueryResult<CurrentSession, Error> }) {
  const { error, refetch } = session;
  if (error instanceof Failed && error.failure.kind === 'lost') {
    keepPage(location.pathname + location.search);
    location.assign('/portal/sign-in');
    return null;
  }
  if (!error) return <Coming />;
  return (
    <Center mih="100vh" p="md">
      <Trouble error={error} onRetry={() => void refetch()} />
    </Center>
  );
}

/** Moves the session to another place, and reads everything anew there. */
export function useAct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (scope: string) => call('POST /portal/api/session/act', { scope }),
    onSuccess: () => queries.resetQueries(),
  });
}

interface ChooseProps {
  readonly title: string;
  readonly text: string;
  readonly scopes: readonly Scope[];
  readonly error?: Error | null;
}

/** The scopes in which the session may act, for one to be chosen. */
export function Choose({ title, text, scopes, error }: ChooseProps) {
  const act = useAct();
  return (
    <Container size="xs" py="xl" component="main">
      <Stack>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {(act.error ?? error) && <Trouble error={(act.error ?? error) as Error} />}
        {scopes.map(({ scope, name }) => (
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

/** Chooses the only Tenant at once; of several, the person chooses. */
export function ChooseTenant({ session }: { readonly session: CurrentSession }) {
  const { mutate, error } = useAct();
  const scopes = session.scopes.filter(({ scope }) => scope !== 'platform');
  const only = scopes.length === 1 ? scopes[0]?.scope : undefined;
  useEffect(() => {
    if (only !== undefined) mutate(only);
  }, [only, mutate]);
  if (only !== undefined && !error) return <Coming />;
  return (
    <Choose
      title="Choose a tenant"
      text={
        scopes.length > 0
          ? 'The portal shows one tenant at a time.'
          : 'You are a member of no tenant yet. Ask an owner to invite you.'
      }
      scopes={scopes}
      error={error}
    />
  );
}
