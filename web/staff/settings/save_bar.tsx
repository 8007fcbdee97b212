import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Trouble } from '../parts/trouble.tsx';
import { type Changes, faultOf, type Settings } from './use_save.ts';

export interface SaveBarProps {
  /** What is saved, for a screen reader. */
  readonly label: string;
  readonly save: UseMutationResult<Settings, Error, Changes>;
  readonly isChanged: boolean;
  readonly mayChange: boolean;
  /** Who may, for who may not. */
  readonly who?: string;
  readonly onSave: () => void;
  readonly onUndo: () => void;
  /** What to do about a refusal of the whole change. */
  readonly children?: ReactNode;
}

/** Saves one part of the settings, or takes the typing back. A fault of a value stands at its field. */
export function SaveBar(props: SaveBarProps) {
  const { label, save, isChanged, mayChange, onSave, onUndo, children } = props;
  const { who = 'Owners and developers' } = props;
  return (
    <>
      {save.error && faultOf(save.error) === null && (children ?? <Trouble error={save.error} />)}
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
          {!mayChange && `${who} can change this.`}
          {mayChange && save.isSuccess && !isChanged && 'Saved.'}
        </Text>
      </Group>
    </>
  );
}
