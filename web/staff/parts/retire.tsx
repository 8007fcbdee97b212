import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import { Sure } from './sure.tsx';

interface RetireProps {
  /** The secret that is to be retired; null: none is. */
  readonly id: string | null;
  /** The end that it has for whoever still uses it. */
  readonly text: string;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onRetire: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks before a secret stops to work for good. */
export const Retire = ({ id, text, onRetire, ...sure }: RetireProps) => (
  <Sure
    {...sure}
    title="Retire this secret?"
    isOpen={id !== null}
    text={`${shortened(id ?? '')}: ${text}`}
    verb="Retire the secret"
    onSure={() => id && onRetire(id)}
  />
);
