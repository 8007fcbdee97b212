import { type DayPart, dayParts, entered, partLengths, partsOf, wholeDay } from './day.ts';
import { type FieldProps, fieldId } from './field.tsx';
import { digitsOf } from './grouped.ts';
import { usePage } from './page_context.ts';

type Given = Pick<FieldProps, 'name' | 'label' | 'value' | 'onValue' | 'describedBy'>;

interface DateProps extends Given {
  readonly error?: string | undefined;
  /** The part that is to be corrected. */
  readonly at?: DayPart | undefined;
  /** Data of another person, so the browser must not autofill or keep it. */
  readonly isOthers?: boolean;
}

const nextOf = (part: DayPart, id: string) =>
  document.getElementById(`${id}-${dayParts[dayParts.indexOf(part) + 1]}`);

/**
 * Month, day and year, in the order of the forms of the United States. The value is as `day.ts` has it. A
 * whole date may be pasted, or filled in, at any part; a slash goes on to the next.
 */
export function DateField(props: DateProps) {
  const { name, label, value, onValue, error, at, isOthers = false } = props;
  const { date } = usePage().texts.common;
  const id = fieldId(name);
  const parts = partsOf(value);
  const change = (part: DayPart, input: HTMLInputElement) => {
    const { value: text } = input;
    onValue(entered(wholeDay(text) ?? { ...parts, [part]: digitsOf(text, partLengths[part]) }));
    if (/^\d+[/.-]$/.test(text)) nextOf(part, id)?.focus();
  };
  const described = [props.describedBy, `${id}-hint`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <fieldset class="field is-group" id={id} aria-describedby={described}>
      <legend>{label}</legend>
      <p class="hint" id={`${id}-hint`}>
        {date.hint}
      </p>
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <div class="parts">
        {dayParts.map((part) => {
          const isWrong = error !== undefined && part === at;
          return (
            <div key={part} class={`part is-${part} ${isWrong ? 'has-error' : ''}`}>
              <label for={`${id}-${part}`}>{date.parts[part]}</label>
              <div class="input">
                <input
                  id={`${id}-${part}`}
                  name={`${name}-${part}`}
                  type="text"
                  inputMode="numeric"
                  autoComplete={isOthers ? 'off' : `bday-${part}`}
                  spellcheck={false}
                  value={parts[part]}
                  aria-required="true"
                  aria-invalid={isWrong ? 'true' : undefined}
                  aria-describedby={isWrong ? `${id}-error` : undefined}
                  onInput={({ currentTarget: input }) => change(part, input)}
                />
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
