import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FilterField, type Values, valuesIn } from './filter_fields.ts';

export interface ListFilters {
  /** The values of the filters that the list knows, as the address has them. */
  readonly values: Values;
  /** Changes some filters in the address; an empty text takes one out. */
  readonly set: (changes: Values) => void;
  /** Puts these filters in the place of all. */
  readonly put: (values: Values) => void;
  /** Other things that the address keeps, such as what is open. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** The filters of a list, which the address keeps: it can be shared, and the way back undoes one. */
export function useFilters(fields: readonly FilterField[]): ListFilters {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const put = (values: object) => {
    const left = Object.entries(values).filter(([, value]) => value !== '');
    void navigate({ to: '.', search: Object.fromEntries(left) as never });
  };
  return {
    values: valuesIn(fields, search),
    set: (changes) => put({ ...search, ...changes }),
    put,
    search,
  };
}
