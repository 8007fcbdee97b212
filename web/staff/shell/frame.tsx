import { Anchor, AppShell, Burger, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { Fragment, type ReactNode } from 'react';
import { isSandbox } from '../api/environment.ts';
import { holds, SessionProvider } from '../api/session.tsx';
import { StepUp } from '../api/step_up.tsx';
import { NavCount } from '../parts/nav_count.tsx';
import { Mark } from '../parts/state_badge.tsx';

interface PageEntry {
  readonly path: string;
  readonly name: string;
  /** Who may read it; as the operations behind it declare. */
  readonly may: readonly Role[];
  /** Production has no such page. */
  readonly sandboxOnly?: true;
}

export interface PageGroup {
  readonly name: string;
  readonly pages: readonly PageEntry[];
}

interface FrameProps {
  readonly session: CurrentSession;
  /** The application, and what it is called beside the brand. */
  readonly name: string;
  readonly groups: readonly PageGroup[];
  /** At the right of the header. */
  readonly tools: ReactNode;
  /** Above every page. */
  readonly banner?: ReactNode;
  /** The page. */
  readonly children: ReactNode;
}

function Navigation({ session, groups, onGo }: NavigationProps) {
  const { pathname } = useLocation();
  return (
    <Stack gap={2} component="nav" aria-label="Pages">
      {groups.map(({ name, pages }) => {
        const allowed = pages.filter(
          ({ may, sandboxOnly }) => holds(session, may) && (isSandbox || sandboxOnly === undefined),
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
                rightSection={<NavCount for={path} />}
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

type NavigationProps = Pick<FrameProps, 'session' | 'groups'> & { readonly onGo: () => void };

/** What surrounds every page: where one is, who one is, and the way elsewhere. */
export function Frame({ session, name, groups, tools, banner, children }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <SessionProvider value={session}>
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
                  {name}
                </Anchor>
                {isSandbox && <Mark tone="warning" text="Sandbox" />}
              </Group>
              <Group gap="xs" wrap="nowrap">
                {tools}
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p="xs" className="scrolls">
            <Navigation session={session} groups={groups} onGo={close} />
          </AppShell.Navbar>
          <AppShell.Main id="content" tabIndex={-1}>
            {banner}
            {children}
          </AppShell.Main>
        </AppShell>
      </StepUp>
    </SessionProvider>
  );
}
