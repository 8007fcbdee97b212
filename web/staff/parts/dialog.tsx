import { CloseButton, Group, Modal, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface HeadingProps {
  readonly title: string | null;
  readonly onClose: () => void;
}

/** The heading of a dialog or drawer. Mantine's own is a second banner for screen readers. */
export const DialogHeading = ({ title, onClose }: HeadingProps) => (
  <Group justify="space-between" align="flex-start" wrap="nowrap" my="md">
    <Title order={2} size="h4" className="breaks">
      {title}
    </Title>
    <CloseButton aria-label="Close" onClick={onClose} />
  </Group>
);

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** It has two columns where the screen is wide. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A question or a small task above the page. */
export const Dialog = ({ title, isOpen, onClose, isWide = false, children }: DialogProps) => (
  <Modal.Root opened={isOpen} onClose={onClose} size={isWide ? '72rem' : 'lg'}>
    <Modal.Overlay />
    <Modal.Content aria-label={title}>
      <Modal.Body>
        <DialogHeading title={title} onClose={onClose} />
        {children}
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
