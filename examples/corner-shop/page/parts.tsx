import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Code } from '../server/orders.ts';
import type { ShopError } from './api.ts';
import { type Purpose, refusalText } from './refusal.ts';
import { useTexts } from './texts/locale.ts';

/** Components that all columns use. */

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly look?: 'primary' | 'plain' | 'quiet';
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly label?: string;
}

export const Button = ({
  children,
  onClick,
  look = 'primary',
  isDisabled,
  isPressed,
  label,
}: ButtonProps) => (
  <button
    type="button"
    class={`button is-${look}`}
    // A `disabled` button loses the focus, and keyboard users lose their place.
    aria-disabled={isDisabled ? 'true' : undefined}
    aria-pressed={isPressed}
    aria-label={label}
    onClick={isDisabled ? undefined : onClick}
  >
    {children}
  </button>
);

interface FaultProps {
  readonly fault: ShopError | null;
  readonly purpose?: Purpose;
}

/** An error in words, with the id of the request. */
export function Fault({ fault, purpose = 'pay' }: FaultProps) {
  const { texts, momentOf } = useTexts();
  return (
    fault && (
      <p class="fault" role="alert">
        {refusalText(fault, texts, momentOf, purpose)}
        {fault.requestId && <code>{fault.requestId}</code>}
      </p>
    )
  );
}

export const Badge = (props: {
  tone: 'good' | 'bad' | 'calm' | 'warning';
  children: ComponentChildren;
}) => <span class={`badge is-${props.tone}`}>{props.children}</span>;

/** A QR code, dark on white in any theme: cameras expect that. */
export const Qr = ({ code, label }: { readonly code: Code; readonly label: string }) => (
  <img class="qr" src={code.image} alt={label} />
);

/** For a phone that cannot scan the till. */
export function CopyCode({ code }: { readonly code: Code }) {
  const { texts } = useTexts();
  const [copied, setCopied] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(code.qr_payload).then(() => setCopied(code.qr_payload));
  return (
    <Button look="quiet" onClick={copy}>
      <span aria-live="polite">{copied === code.qr_payload ? texts.copied : texts.copyCode}</span>
    </Button>
  );
}

interface TabsProps<T extends string> {
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly label: string; readonly count?: number }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

const step: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs with the keys of WAI-ARIA: arrows move between them, Tab stops once. */
export function Tabs<T extends string>({
  name,
  label: listLabel,
  tabs,
  chosen,
  onChoose,
}: TabsProps<T>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = step[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.id);
    document.getElementById(`${name}-tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={listLabel} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${name}-tab-${id}`}
          aria-controls={`${name}-panel`}
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {label}
          {count ? <span class="count">{count}</span> : null}
        </button>
      ))}
    </div>
  );
}

export const Panel = ({
  name,
  tab,
  children,
}: {
  name: string;
  tab: string;
  children: ComponentChildren;
}) => (
  <div class="panel" role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-tab-${tab}`}>
    {children}
  </div>
);
