import { money } from '../../ui/money.ts';

/** Cents as dollars, in figures of one width. */
export const Cents = ({ value }: { readonly value: number }) => (
  <span className="figures">{money(value, 'en')}</span>
);
