import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { iconOf } from '@tenant-payments/contract/core/mark.ts';
import type { ReactNode } from 'react';
import { isSandbox } from '../api/environment.ts';
import { SessionProvider } from '../api/session.tsx';
import { StepUp } from '../api/step_up.tsx';
import { Mark } from '../parts/state_badge.tsx';
import { Navigation } from './navigation.tsx';
import type { PageGroup } from './page_group.ts';
import { Switcher } from './switcher.tsx';

interface FrameProps {
  readonly session: CurrentSession;
  /** The application, and what it is called beside the brand. */
  readonly name: string;
  readonly groups: readonly PageGroup[];
  /** The tools at the right of the header. */
  readonly tools: ReactNode;
  /** Above every page. */
  readonly banner?: ReactNode;
  /** The page. */
  readonly children: ReactNode;
}

/** The frame of every page: the navigation, the person who is signed in, and the ways elsewhere. */
export function Frame({ session, name, groups, tools, banner, children }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <SessionProvider value={session}>
      <StepUp>
        <a className="skip" href="#content">
          Skip to the page
        </a>
        <AppShell
          header={{ height: 52 }}
          navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
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
                <Link to="/" className="brand" aria-label={name}>
                  <img src={iconOf(isSandbox ? 'sandbox' : 'production')} alt="" />
                  <span className="brand-name">{name}</span>
                </Link>
                <div className="wide">
                  <Switcher session={session} />
                </div>
                {isSandbox && <Mark tone="warning" text="Sandbox" />}
              </Group>
              <Group gap="xs" wrap="nowrap">
                {tools}
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p={8} className="scrolls">
            <div className="narrow">
              <Switcher session={session} />
            </div>
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
