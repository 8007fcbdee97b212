import { Button, Group, Stack, Text } from '@mantine/core';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { Dialog } from './dialog.tsx';
import { Trouble } from './trouble.tsx';

interface RetireProps {
  /** The secret that is to be retired; null: none is. */
  readonly id: string | null;
  /** The end that it has for whoever still uses it. */
  readonly text: string;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onRetire: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks before a secret stops to work for good. */
export const Retire = ({ id, text, error, isBusy, onRetire, onClose }: RetireProps) => (
  <Dialog title="Retire this secret?" isOpen={id !== null} onClose={onClose}>
    <Stack>
      <Text size="sm">{`${shortened(id ?? '')}: ${text} It cannot be brought back.`}</Text>
      {error && <Trouble error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" data-autofocus loading={isBusy} onClick={() => id && onRetire(id)}>
          Retire the secret
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
