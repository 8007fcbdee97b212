import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * The filters of a page, kept in its address: each name with its text, `''` where none is given.
 */
export function useAddress<Name extends string>(
  names: readonly Name[],
): readonly [Readonly<Record<Name, string>>, (change: Partial<Record<Name, string>>) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const held = Object.fromEntries(
    names.map((name) => [name, search[name] === undefined ? '' : String(search[name])]),
  ) as Record<Name, string>;
  const set = (change: Partial<Record<Name, string>>) => {
    const next = Object.entries<string>({ ...held, ...change }).filter(([, text]) => text !== '');
    void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true });
  };
  return [held, set];
}

/** The filters that are not empty, for a call. */
export const given = (filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, text]) => text !== ''));
