import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { isolated } from '../../ui/isolated.ts';
import { call } from '../api/call.ts';
import { nameOf } from '../api/session.tsx';
import { shownScope } from '../api/shown.ts';
import { Trouble } from '../parts/trouble.tsx';

/** The heading is read aloud, and a key that was meant for a field presses no button. */
const focus = (heading: HTMLElement | null) => heading?.focus();

/** In place of every page, once another window has moved the session: the ways back, and there (rules/sign-in#3). */
export function Moved({ session }: { readonly session: CurrentSession }) {
  const { scope, visit } = session;
  const shown = shownScope() ?? '';
  const [here, there] = [shown, scope].map((at) => isolated(nameOf(session, at) ?? ''));
  const back = useMutation({
    mutationFn: async () => {
      if (visit) await call('POST /portal/api/session/leave', {});
      await call('POST /portal/api/session/act', { scope: shown });
    },
    onSuccess: () => location.reload(),
  });
  const place = there || 'another place';
  return (
    <Container size="xs" py="xl" component="main">
      <Stack>
        <Title order={1} size="h2" ref={focus} tabIndex={-1} className="breaks">
          {`Another window switched to ${place}`}
        </Title>
        <Text className="breaks">
          {`All windows of this browser are at one place at a time. This one showed ${here || 'a tenant where you hold no role'}. Nothing you did here reached ${place}: what you had not saved, enter again.`}
        </Text>
        {back.error && <Trouble error={back.error} />}
        {here && (
          <Button loading={back.isPending || back.isSuccess} onClick={() => back.mutate()}>
            {`Switch back to ${here}`}
          </Button>
        )}
        {there && (
          <Button
            component="a"
            variant="default"
            href={scope === 'platform' ? '/console' : '/portal'}
          >
            {`Go to ${there}`}
          </Button>
        )}
        <Button component="a" href="/portal/sign-in" variant="subtle">
          Your sign-in
        </Button>
      </Stack>
    </Container>
  );
}
