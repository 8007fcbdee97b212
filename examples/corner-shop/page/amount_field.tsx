import { useState } from 'preact/hooks';
import { readAmount } from './amount.ts';
import { dollars } from './shop.ts';
import { useTexts } from './texts/locale.ts';

/** The bounds of an amount, in cents; null or absent: not known here. */
interface Bounds {
  /** For one time. */
  readonly maximum?: number | null;
  /** The balance of the wallet that it leaves. */
  readonly available?: number | null;
}

/** An amount while it is typed. */
export function useAmount(start = '', { maximum = null, available = null }: Bounds = {}) {
  const { texts } = useTexts();
  const [typed, type] = useState(start);
  const { cents, fault } = readAmount(typed);
  const faultText = (): string | null => {
    if (fault) return texts.amount[fault];
    if (cents !== null && maximum !== null && cents > maximum)
      return texts.amount.large(dollars(maximum));
    if (cents !== null && available !== null && cents > available)
      return texts.amount.above(dollars(available));
    return null;
  };
  const said = faultText();
  return { typed, type, cents: said === null ? cents : null, said };
}

interface AmountFieldProps {
  readonly id: string;
  readonly label: string;
  readonly amount: ReturnType<typeof useAmount>;
  /** Amounts that one press chooses, in cents. */
  readonly presets?: readonly { readonly cents: number; readonly label?: string }[];
}

const plain = (cents: number): string => (cents / 100).toFixed(2);

/** Explains what it refuses as soon as it is typed. */
export function AmountField({ id, label, amount, presets = [] }: AmountFieldProps) {
  const { texts } = useTexts();
  const { typed, type, cents, said } = amount;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {presets.length > 0 && (
        <fieldset class="presets">
          <legend class="visually-hidden">{texts.phone.presets}</legend>
          {presets.map((preset) => (
            <button
              key={preset.cents}
              type="button"
              aria-pressed={cents === preset.cents}
              onClick={() => type(plain(preset.cents))}
            >
              {preset.label ?? dollars(preset.cents).replace(/\.00$/, '')}
            </button>
          ))}
        </fieldset>
      )}
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        placeholder="0.00"
        aria-describedby={`${id}-fault`}
        aria-invalid={said !== null}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <p id={`${id}-fault`} class="field-fault" role="status">
        {said}
      </p>
    </div>
  );
}
