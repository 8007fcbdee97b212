import { Alert, Button, CloseButton, Group, Modal, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

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

type Hold = (change: 1 | -1) => void;
const HoldContext = createContext<Hold | null>(null);

/** While this is shown, the dialog around it does not close by Esc, the X or a press outside: it asks first. */
export function useKeptOpen(): void {
  const hold = useContext(HoldContext);
  useEffect(() => {
    hold?.(1);
    return () => hold?.(-1);
  }, [hold]);
}

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether it is wide enough for two columns, where the screen is. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A question or a small task above the page. */
export function Dialog({ title, isOpen, onClose, isWide = false, children }: DialogProps) {
  const [held, setHeld] = useState(0);
  const [hold] = useState<Hold>(() => (change: 1 | -1) => setHeld((count) => count + change));
  const [isAsked, setAsked] = useState(false);
  const isHeld = held > 0;
  const close = () => {
    setAsked(isHeld);
    if (!isHeld) onClose();
  };
  return (
    <Modal.Root opened={isOpen} onClose={close} size={isWide ? '72rem' : 'lg'}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <DialogHeading title={title} onClose={close} />
          {isAsked && isHeld && <Saved onStay={() => setAsked(false)} onClose={onClose} />}
          <HoldContext.Provider value={hold}>{children}</HoldContext.Provider>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface SavedProps {
  readonly onStay: () => void;
  readonly onClose: () => void;
}

const Saved = ({ onStay, onClose }: SavedProps) => (
  <Alert color="yellow" role="alert" mb="md" title="Have you saved it? It is not shown again.">
    <Group gap="xs" p={4}>
      <Button size="compact-md" variant="default" autoFocus onClick={onStay}>
        Not yet
      </Button>
      <Button size="compact-md" variant="default" onClick={onClose}>
        I have saved it
      </Button>
    </Group>
  </Alert>
);
