import type { ComponentChildren } from 'preact';
import { usePage } from './page_context.ts';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps {
  readonly look?: Look;
  readonly type?: 'button' | 'submit';
  /**
   * While work is in progress the button keeps its place and focus, says so, and ignores clicks.
   */
  readonly isBusy?: boolean;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

export function Button({
  look = 'primary',
  type = 'button',
  isBusy = false,
  onClick,
  children,
}: ButtonProps) {
  const { texts } = usePage();
  const press = (event: Event) => {
    if (isBusy) event.preventDefault();
    else onClick?.();
  };
  return (
    <button
      type={type}
      class={`button is-${look}`}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={press}
    >
      <span class="label">{children}</span>
      {isBusy && (
        <span class="spinner" role="status">
          <span class="visually-hidden">{texts.common.working}</span>
        </span>
      )}
    </button>
  );
}

/** Buttons one above the other, the first the one that most will press. */
export const Actions = ({ children }: { children: ComponentChildren }) => (
  <div class="actions">{children}</div>
);
