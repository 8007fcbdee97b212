import type { ComponentChildren } from 'preact';
import type { Code } from '../state.ts';
import type { Refusal } from './ask.ts';

/** Small things that all columns are made of. */

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
    disabled={isDisabled}
    aria-pressed={isPressed}
    aria-label={label}
    onClick={onClick}
  >
    {children}
  </button>
);

/** Why something did not work, with the id by which it is found. */
export const Fault = ({ fault }: { readonly fault: Refusal | null }) =>
  fault && (
    <p class="fault" role="alert">
      {sentence(fault)}
      {fault.requestId && <code>{fault.requestId}</code>}
    </p>
  );

const sentences: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money in the wallet.',
  linked_account_required: 'Link a bank account first.',
  withdrawal_hold: 'Withdrawals to a newly linked bank wait 72 hours. Move the clock to pass them.',
  payment_request_paid: 'This code has been paid already.',
  payment_request_expired: 'This code has expired. The till can make a new one.',
  payment_request_invalid: 'This is no code of a shop here: it was changed, or belongs elsewhere.',
  limit_exceeded: 'That is more than one may move at once, or in a day.',
  capability_unavailable: 'This bank cannot do that.',
  refund_exceeds_payment: 'That is more than is left of the payment.',
  account_restricted: 'The account is restricted. New terms may be waiting.',
  offline: 'The shop does not answer. Is the sandbox running?',
};

const sentence = ({ code, message }: Refusal): string =>
  sentences[code] ?? message.replace(/^\w+: /, '').replace(/ \(request .*\)$/, '');

export const Badge = (props: {
  tone: 'good' | 'bad' | 'calm' | 'warm';
  children: ComponentChildren;
}) => <span class={`badge is-${props.tone}`}>{props.children}</span>;

const quiet = 3;

/** A QR code with its quiet zone, dark on white in any theme: cameras expect that. */
export const Qr = ({ code, label }: { readonly code: Code; readonly label: string }) => {
  const side = code.size + 2 * quiet;
  return (
    <svg class="qr" viewBox={`${-quiet} ${-quiet} ${side} ${side}`} role="img" aria-label={label}>
      <rect x={-quiet} y={-quiet} width={side} height={side} fill="#fff" />
      <path d={code.path} stroke="#1c140d" shape-rendering="crispEdges" />
    </svg>
  );
};

interface TabsProps<T extends string> {
  readonly name: string;
  readonly tabs: readonly { readonly id: T; readonly label: string; readonly count?: number }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

const step: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs with the keys that WAI-ARIA names: arrows move, one stop for Tab. */
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
