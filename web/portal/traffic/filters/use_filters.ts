import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FilterField, type Values, valuesIn } from '../../../staff/parts/filter_fields.ts';

interface Filters {
  readonly values: Values;
  /** Changes some in the address; an empty text takes one out. */
  readonly set: (changes: Values) => void;
  /** Other things that the address keeps, such as what is open. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** The filters of a list, which the address keeps: it can be shared, and the way back undoes one. */
export function useFilters(fields: readonly FilterField[]): Filters {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const set = (changes: Values) => {
    const left = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== '');
    void navigate({ to: '.', search: Object.fromEntries(left) as never });
  };
  return { values: valuesIn(fields, search), set, search };
}
