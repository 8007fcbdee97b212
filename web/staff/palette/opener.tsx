import { Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react';
import { useSession } from '../api/session.tsx';
import type { PageGroup } from '../shell/page_group.ts';
import { recentsOf, remember } from './recents.ts';

export interface PaletteProps {
  /** The menu's pages. */
  readonly groups: readonly PageGroup[];
  /** Addresses where one was before, the newest first. */
  readonly recents: readonly string[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface OpenerProps {
  readonly name: string;
  readonly groups: readonly PageGroup[];
  /** Loads the palette, when it is wanted first. */
  readonly load: () => Promise<{ default: ComponentType<PaletteProps> }>;
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** The way to every record, page and action, from every page (Ctrl K). */
export function Search({ name, groups, load }: OpenerProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const place = `${name} ${useSession().scope ?? ''}`;
  // Also from within a field, where one types.
  useHotkeys([['mod+K', open]], []);
  useEffect(() => remember(place, pathname), [place, pathname]);
  const Palette = useMemo(() => lazy(load), [load]);
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        fz="sm"
        fw={500}
        onClick={open}
        onPointerEnter={() => void load()}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      >
        Search{' '}
        <Kbd ml="xs" size="xs" visibleFrom="sm">
          {isMac ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette groups={groups} recents={recentsOf(place)} isOpen onClose={close} />
        </Suspense>
      )}
    </>
  );
}
