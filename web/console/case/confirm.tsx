import { Button, Group, Kbd } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';

/** Ctrl+Enter, or Cmd+Enter, does what a form is for, from whichever field. */
export function submitsByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface ConfirmProps {
  /** The verb and the amount. */
  readonly text: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  /** Whether the move cannot be undone, or is against the customer. */
  readonly isGrave: boolean;
  /** Whether the button gets the focus as the form opens: no field must be filled. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

/** The buttons below a form. The one that submits may have the focus before it is ready. */
export function Confirm({ text, isReady, isPending, isGrave, isFirst, onClose }: ConfirmProps) {
  return (
    <Group justify="flex-end" mt="md">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button
        type="submit"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        aria-disabled={!isReady}
        loading={isPending}
        {...(isGrave && { color: 'red.9' })}
        {...(!isReady && { 'data-disabled': true })}
        {...(isFirst && { 'data-autofocus': true })}
        rightSection={<KeyHint text="Ctrl+Enter" />}
      >
        {text}
      </Button>
    </Group>
  );
}

/** The key of a button, beside its words; a screen reader has it from the button itself. */
export const KeyHint = ({ text }: { readonly text: string }) => (
  <Kbd size="xs" aria-hidden="true" className="key-hint">
    {text}
  </Kbd>
);

/** Brings the focus to a field that must be filled after all, from the button that waits for it. */
export function useDemanded<E extends HTMLElement>(isDemanded: boolean) {
  const field = useRef<E>(null);
  useEffect(() => {
    const isWaiting = document.activeElement?.getAttribute('type') === 'submit';
    if (isDemanded && isWaiting) field.current?.focus();
  }, [isDemanded]);
  return field;
}
