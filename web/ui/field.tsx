import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Groups, grouped, regrouped } from './grouped.ts';
import { usePage } from './page_context.ts';

export { digitsOf } from './grouped.ts';

/** The element id of a field; a page has one form. */
export const fieldId = (name: string): string => `field-${name}`;

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'tel' | 'email';
  readonly type?: 'text' | 'email' | 'tel';
  readonly maxLength?: number;
  readonly isOptional?: boolean;
  /** Hidden as it is typed, with a way to see it. */
  readonly isSecret?: boolean;
  readonly width?: 'short' | 'medium';
  /** The value is digits alone, which are shown in such groups as they are typed. */
  readonly groups?: Groups;
  /** Ids of what else is read out with the field. */
  readonly describedBy?: string;
}

const describedBy = ({ name, hint, error, describedBy }: FieldProps): string | undefined => {
  const id = fieldId(name);
  return (
    [describedBy, hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') ||
    undefined
  );
};

type Typing = JSX.TargetedInputEvent<HTMLInputElement>;

/** Writes the groups at once, so that the caret is set behind the same digit as before. */
function typeGrouped({ currentTarget: input, inputType }: Typing, before: string, groups: Groups) {
  const { value: text, selectionStart } = input;
  const typed = { text, caret: selectionStart ?? text.length, kind: inputType ?? '', before };
  const { digits, shown, caret } = regrouped(typed, groups);
  input.value = shown;
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
  return digits;
}

/** Shows what a secret field holds, and hides it again. */
function Reveal(props: { label: string; isShown: boolean; id: string; onPress: () => void }) {
  const { texts } = usePage();
  const { label, isShown, id, onPress } = props;
  const { showSecret, hideSecret, show, hide } = texts.common;
  return (
    <button
      type="button"
      class="reveal"
      aria-controls={id}
      aria-label={isShown ? hideSecret(label) : showSecret(label)}
      onClick={onPress}
    >
      {isShown ? hide : show}
    </button>
  );
}

/** A label, a hint, what is wrong, and the input they belong to. */
export function Field(props: FieldProps) {
  const { name, label, value, onValue, hint, error, isSecret = false, isOptional, groups } = props;
  const { texts } = usePage();
  const [isShown, setShown] = useState(false);
  const id = fieldId(name);
  const isHidden = isSecret && !isShown;
  // What is no password must not look like one: browsers would keep it, and fill it in as one.
  const isPassword = isHidden && props.autoComplete?.endsWith('password');
  const shown = groups ? grouped(value, groups) : value;
  return (
    <div class={`field ${error ? 'has-error' : ''} ${props.width ? `is-${props.width}` : ''}`}>
      <label for={id}>
        {label} {isOptional && <span class="optional">({texts.common.optional})</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <div class="input">
        <input
          id={id}
          name={name}
          type={isPassword ? 'password' : (props.type ?? 'text')}
          class={isHidden && !isPassword ? 'is-masked' : undefined}
          value={shown}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete ?? 'off'}
          autoCapitalize={isSecret ? 'none' : undefined}
          spellcheck={false}
          maxLength={props.maxLength}
          aria-required={isOptional ? undefined : 'true'}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={describedBy(props)}
          onInput={(event) =>
            onValue(groups ? typeGrouped(event, value, groups) : event.currentTarget.value)
          }
        />
        {isHidden && groups && (
          <span class="veil" aria-hidden="true">
            {shown.replace(/\d/g, '•')}
          </span>
        )}
        {isSecret && (
          <Reveal label={label} id={id} isShown={isShown} onPress={() => setShown(!isShown)} />
        )}
      </div>
    </div>
  );
}
