import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Trouble } from '../../parts/trouble.tsx';
import { type Changes, faultOf, type Settings } from './use_save.ts';

interface SaveBarProps {
  /** What is saved, for a screen reader. */
  readonly label: string;
  readonly save: UseMutationResult<Settings, Error, Changes>;
  readonly isChanged: boolean;
  readonly mayChange: boolean;
  readonly onSave: () => void;
  readonly onUndo: () => void;
}

/** Saves one part of the settings, or takes the typing back. A fault of a value stands at its field. */
export function SaveBar({ label, save, isChanged, mayChange, onSave, onUndo }: SaveBarProps) {
  return (
    <>
      {save.error && faultOf(save.error) === null && <Trouble error={save.error} />}
      <Group gap="xs">
        <Button
          aria-label={`Save ${label}`}
          disabled={!mayChange || !isChanged}
          loading={save.isPending}
          onClick={onSave}
        >
          Save
        </Button>
        {isChanged && (
          <Button variant="default" aria-label={`Undo changes of ${label}`} onClick={onUndo}>
            Undo
          </Button>
        )}
        <Text size="sm" role="status">
          {!mayChange && 'Owners and developers can change this.'}
          {mayChange && save.isSuccess && !isChanged && 'Saved.'}
        </Text>
      </Group>
    </>
  );
}
