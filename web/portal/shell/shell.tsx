import { Anchor, AppShell, Burger, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Fragment } from 'react';
import { isSandbox } from '../api/environment.ts';
import { useRead } from '../api/queries.ts';
import { holds, SessionProvider } from '../api/session.tsx';
import { StepUp } from '../api/step_up.tsx';
import { Mark } from '../parts/state_badge.tsx';
import { ChaosBanner } from './chaos_banner.tsx';
import { Jump } from './jump.tsx';
import { pageGroups } from './pages.ts';
import { PersonMenu } from './person_menu.tsx';
import { Starting } from './starting.tsx';

function Navigation({ onGo }: { readonly onGo: () => void }) {
  const { pathname } = useLocation();
  const { data: session } = useRead('GET /portal/api/session', {});
  return (
    <Stack gap={2} component="nav" aria-label="Pages">
      {pageGroups.map(({ name, pages }) => {
        const allowed = pages.filter(
          ({ may, sandboxOnly }) =>
            session && holds(session, may) && (isSandbox || sandboxOnly === undefined),
        );
        return (
          <Fragment key={name}>
            {allowed.length > 0 && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={2}>
                {name}
              </Text>
            )}
            {allowed.map(({ path, name: page }) => (
              <NavLink
                key={path}
                component={Link}
                to={path}
                label={page}
                active={pathname === path}
                aria-current={pathname === path ? 'page' : undefined}
                className="page-link"
                onClick={onGo}
              />
            ))}
          </Fragment>
        );
      })}
    </Stack>
  );
}

/** What surrounds every page: where one is, who one is, and the way elsewhere. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const session = useRead('GET /portal/api/session', {});
  if (session.data?.scope == null || session.data.scope === 'platform')
    return <Starting session={session} />;
  return (
    <SessionProvider value={session.data}>
      <StepUp>
        <a className="skip" href="#content">
          Skip to the page
        </a>
        <AppShell
          header={{ height: 56 }}
          navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
          padding="md"
        >
          <AppShell.Header>
            <Group h="100%" px="md" justify="space-between" wrap="nowrap">
              <Group gap="sm" wrap="nowrap">
                <Burger
                  opened={isOpen}
                  onClick={toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
                />
                <Anchor
                  component={Link}
                  to="/"
                  fw={700}
                  c="inherit"
                  underline="never"
                  className="brand"
                >
                  Tenant Payments
                </Anchor>
                {isSandbox && <Mark tone="warning" text="Sandbox" />}
              </Group>
              <Group gap="xs" wrap="nowrap">
                <Jump />
                <PersonMenu session={session.data} />
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p="xs" className="scrolls">
            <Navigation onGo={close} />
          </AppShell.Navbar>
          <AppShell.Main id="content" tabIndex={-1}>
            {isSandbox && <ChaosBanner />}
            <Outlet />
          </AppShell.Main>
        </AppShell>
      </StepUp>
    </SessionProvider>
  );
}
