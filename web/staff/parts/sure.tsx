import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from './dialog.tsx';
import { Trouble } from './trouble.tsx';

interface SureProps {
  /** The question. */
  readonly title: string;
  readonly isOpen: boolean;
  /** The end that it has, for whom. */
  readonly text: string;
  /** The verb of the button. */
  readonly verb: string;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onSure: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be brought back is done. */
export const Sure = ({ text, verb, error, isBusy, onSure, ...dialog }: SureProps) => (
  <Dialog {...dialog}>
    <Stack>
      <Text size="sm" className="breaks">
        {`${text} It cannot be brought back.`}
      </Text>
      {error && <Trouble error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={dialog.onClose}>
          Cancel
        </Button>
        <Button color="red" data-autofocus loading={isBusy} onClick={onSure}>
          {verb}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
