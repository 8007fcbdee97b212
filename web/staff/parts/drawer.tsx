import { Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogHeading } from './dialog.tsx';

interface DetailProps {
  /** Null: nothing is open. */
  readonly title: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details of one row of a list, at the side. */
export function Detail({ title, onClose, children }: DetailProps) {
  return (
    <Drawer.Root opened={title !== null} onClose={onClose} position="right" size="lg">
      <Drawer.Overlay />
      <Drawer.Content aria-label={title ?? ''}>
        <Drawer.Body>
          <DialogHeading title={title} onClose={onClose} />
          <Stack gap="lg">{children}</Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
