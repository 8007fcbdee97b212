import { useNavigate, useSearch } from '@tanstack/react-router';

/** What a page is filtered by, as its address keeps it: each name with its text, `''` where not given. */
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

/** Those that are given, for a call. */
export const given = (filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, text]) => text !== ''));
