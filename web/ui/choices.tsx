import { fieldId } from './field.tsx';
import { usePage } from './page_context.ts';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string, note?: string])[];
  readonly error?: string | undefined;
  readonly autoComplete?: string;
  readonly isOptional?: boolean;
}

const errorOf = (id: string, error: string | undefined) =>
  error && (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  );

/** The choice of one option among many, in a list. */
export function Select(props: ChoiceProps) {
  const { name, label, value, onValue, options, error, autoComplete, isOptional } = props;
  const { texts } = usePage();
  const id = fieldId(name);
  return (
    <div class={`field ${error ? 'has-error' : ''}`}>
      <label for={id}>
        {label} {isOptional && <span class="optional">({texts.common.optional})</span>}
      </label>
      {errorOf(id, error)}
      <div class="input">
        <select
          id={id}
          name={name}
          value={value}
          autoComplete={autoComplete ?? 'off'}
          aria-required={isOptional ? undefined : 'true'}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          <option value="">{texts.common.choose}</option>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

/**
 * The choice of one of a few options, all visible.
 * @param props.isTitled the page's heading is the label
 */
export function Radios(props: ChoiceProps & { readonly isTitled?: boolean }) {
  const { name, label, value, onValue, options, error, isTitled = false } = props;
  const id = fieldId(name);
  return (
    <div
      id={id}
      class={`choices ${error ? 'has-error' : ''}`}
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      aria-required="true"
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <p id={`${id}-legend`} class={isTitled ? 'visually-hidden' : 'legend'}>
        {label}
      </p>
      {errorOf(id, error)}
      {options.map(([key, text, note]) => (
        <label key={key} class="choice">
          <input
            type="radio"
            name={name}
            value={key}
            checked={value === key}
            onChange={() => onValue(key)}
          />
          <span>
            {text}
            {note && <small>{note}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

interface ChecksProps extends Omit<ChoiceProps, 'value' | 'onValue' | 'autoComplete'> {
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
}

/** Any of a few options, all visible. */
export function Checks({ name, label, values, onValues, options, error }: ChecksProps) {
  const id = fieldId(name);
  const change = (key: string, isChosen: boolean) =>
    onValues(
      options.map(([one]) => one).filter((one) => (one === key ? isChosen : values.includes(one))),
    );
  return (
    <fieldset
      id={id}
      class={`choices ${error ? 'has-error' : ''}`}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend class="legend">{label}</legend>
      {errorOf(id, error)}
      {options.map(([key, text, note]) => (
        <label key={key} class="choice">
          <input
            type="checkbox"
            name={name}
            value={key}
            checked={values.includes(key)}
            onChange={(event) => change(key, event.currentTarget.checked)}
          />
          <span>
            {text}
            {note && <small>{note}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type CheckProps = Omit<ChoiceProps, 'options' | 'autoComplete' | 'isOptional'>;

/** Yes, or not yet: the value is `yes` or empty. */
export function Check({ name, label, value, onValue, error }: CheckProps) {
  const id = fieldId(name);
  return (
    <div class={error ? 'has-error' : ''}>
      {errorOf(id, error)}
      <label class="choice" for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={value === 'yes'}
          aria-required="true"
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => onValue(event.currentTarget.checked ? 'yes' : '')}
        />
        <span>{label}</span>
      </label>
    </div>
  );
}
