import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Hears Escape, which is the safe answer. */
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside and gives it back. */
export function Dialog({ title, onCancel, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // No element had the focus, or it was removed: the page below has changed.
      const { activeElement, body } = document;
      if (activeElement === body || current?.contains(activeElement))
        document.getElementById('title')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
