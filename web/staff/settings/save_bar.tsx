import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { changesSentence, settingChanges } from '@tenant-payments/contract/core/fields/changes.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import type { ReactNode } from 'react';
import { ChangeTable } from '../parts/change_table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type Changes, faultOf, type Settings } from './use_save.ts';

export interface SaveBarProps {
  /** The name of the settings to be saved, for a screen reader. */
  readonly label: string;
  readonly save: UseMutationResult<Settings, Error, Changes>;
  readonly isChanged: boolean;
  readonly settings: Settings;
  /** The settings that would be saved, with their new values. */
  readonly changes: Changes;
  readonly mayChange: boolean;
  /** The people who may save, named to somebody who may not. */
  readonly who?: string;
  readonly onSave: () => void;
  readonly onUndo: () => void;
  /** The advice after a refusal of the whole change. */
  readonly children?: ReactNode;
}

/** The rows of changes that stay in sight. */
const most = 12;

type PendingProps = Pick<SaveBarProps, 'label' | 'settings' | 'changes'>;

/** The changes that are not saved yet, before and after. */
function Pending({ label, settings, changes }: PendingProps) {
  const pending = settingChanges(settings, { ...settings, ...changes });
  if (pending.length === 0) return null;
  return (
    <section aria-label={`Not saved: ${label}`}>
      <Text size="sm" fw={600}>
        {changesSentence(pending)}
      </Text>
      <ChangeTable
        label={`What changes of ${label}`}
        changes={pending.slice(0, most).map(({ field, before, after }) => ({
          key: field,
          field: fieldOf('settings', field),
          before,
          after,
        }))}
      />
      {pending.length > most && (
        <Text size="sm" c="dimmed">
          {`And ${pending.length - most} more.`}
        </Text>
      )}
    </section>
  );
}

/** Saves one part of the settings, or takes the typing back. A fault of a value stands at its field. */
export function SaveBar(props: SaveBarProps) {
  const { label, save, isChanged, settings, changes, mayChange, onSave, onUndo, children } = props;
  const { who = 'Owners and developers' } = props;
  return (
    <>
      {isChanged && <Pending label={label} settings={settings} changes={changes} />}
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
