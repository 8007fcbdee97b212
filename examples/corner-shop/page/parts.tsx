import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Code } from '../server/orders.ts';
import type { ShopError } from './api.ts';

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

/** An error in words, with the id of the request. */
export const Fault = ({ fault }: { readonly fault: ShopError | null }) =>
  fault && (
    <p class="fault" role="alert">
      {sentence(fault)}
      {fault.requestId && <code>{fault.requestId}</code>}
    </p>
  );

const sentences: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money in the wallet.',
  linked_account_required: 'Link a bank account first.',
  withdrawal_hold: 'Withdrawals to a new bank wait 72 hours. Move the clock in the inspector.',
  payment_request_paid: 'This code has already been paid.',
  payment_request_expired: 'This code has expired. The till can make a new one.',
  payment_request_invalid: 'This code is not from a shop here.',
  'payment_request_invalid malformed': 'This is not a payment code, or a part of it is missing.',
  'payment_request_invalid signature':
    'This code is not genuine: it was changed, or made elsewhere.',
  'payment_request_invalid environment': 'This code is for real money. This is a sandbox.',
  'payment_request_invalid canceled': 'The shop has canceled this code.',
  'payment_request_invalid payment_in_progress': 'Someone is already paying this code.',
  limit_exceeded: 'That is above the limit for one payment, or for a day.',
  capability_unavailable: 'This bank cannot do that.',
  refund_exceeds_payment: 'That is more than the payment has left to refund.',
  account_restricted: 'The account is restricted. New terms may be waiting.',
  offline: 'The shop does not answer. Is the sandbox running?',
};

const sentence = ({ code, reason, message }: ShopError): string =>
  sentences[`${code} ${reason}`] ??
  sentences[code] ??
  message.replace(/^\w+: /, '').replace(/ \(request [^()]*\)$/, '');

export const Badge = (props: {
  tone: 'good' | 'bad' | 'calm' | 'warm';
  children: ComponentChildren;
}) => <span class={`badge is-${props.tone}`}>{props.children}</span>;

/** A QR code, dark on white in any theme: cameras expect that. */
export const Qr = ({ code, label }: { readonly code: Code; readonly label: string }) => (
  <img class="qr" src={code.image} alt={label} />
);

/** For a phone that cannot scan the till. */
export function CopyCode({ code }: { readonly code: Code }) {
  const [copied, setCopied] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(code.qr_payload).then(() => setCopied(code.qr_payload));
  return (
    <Button look="quiet" onClick={copy}>
      <span aria-live="polite">{copied === code.qr_payload ? 'Copied' : 'Copy the code'}</span>
    </Button>
  );
}

interface TabsProps<T extends string> {
  readonly name: string;
  readonly tabs: readonly { readonly id: T; readonly label: string; readonly count?: number }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

const step: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs with the keys of WAI-ARIA: arrows move between them, Tab stops once. */
export function Tabs<T extends string>({ name, tabs, chosen, onChoose }: TabsProps<T>) {
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
    <div class="tabs" role="tablist" aria-label={name} onKeyDown={onKeyDown}>
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

interface AmountProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export const AmountField = ({ id, label, value, onValue }: AmountProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      inputMode="decimal"
      autocomplete="off"
      placeholder="0.00"
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
);
