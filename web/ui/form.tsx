import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import type { Failure } from './failure.ts';
import { fieldId } from './field.tsx';
import { FailureNotice } from './notice.tsx';
import { usePage } from './page_context.ts';
import type { Faults, FormState, Values } from './use_form.ts';

/** The field itself, or of a group the part at fault, or the first choice. */
export const focusOn = (name: string): void => {
  const target = document.getElementById(fieldId(name));
  const inside =
    target?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    target?.querySelector<HTMLElement>('input');
  (inside ?? target)?.focus();
};

/** All that is wrong, above the form; each fault leads to its field. */
function ErrorSummary({ faults }: { readonly faults: Faults<string> }) {
  const { texts } = usePage();
  const found = Object.entries(faults).filter(([, words]) => words);
  if (found.length < 2) return null;
  return (
    <div class="notice is-bad" role="alert">
      <h2>{texts.common.errorsFound}</h2>
      <ul>
        {found.map(([name, words]) => (
          <li key={name}>
            <a
              href={`#${fieldId(name)}`}
              onClick={(event) => {
                event.preventDefault();
                focusOn(name);
              }}
            >
              {words}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FormProps<K extends string> {
  readonly form: FormState<K>;
  readonly onValid: (values: Values<K>) => void;
  readonly label: string;
  readonly isBusy?: boolean;
  readonly failure?: Failure | null;
  /** Buttons for other things to do, below the form. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields and the button that sends them. What is wrong is focused: the first field of them. */
export function Form<K extends string>(props: FormProps<K>) {
  const { form, onValid, label, isBusy = false, failure = null, more, children } = props;
  const { faults, refusals, submit } = form;
  const last = useRef(faults);
  last.current = faults;
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const [first] = Object.entries(last.current).find(([, words]) => words) ?? [];
    if (first) focusOn(first);
  }, [refusals]);
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) submit(onValid);
      }}
    >
      <FailureNotice failure={failure} />
      <ErrorSummary key={refusals} faults={faults} />
      {children}
      <div class="actions">
        <Button type="submit" isBusy={isBusy}>
          {label}
        </Button>
        {more}
      </div>
    </form>
  );
}
