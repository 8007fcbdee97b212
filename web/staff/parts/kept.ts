import { useState } from 'react';
import { useSession } from '../api/session.tsx';

/** A person's own setting of a list, kept in this browser alone, for each person apart. */
export function useKept<Value>(name: string, initial: Value) {
  const { id, person } = useSession();
  const key = `${person?.id ?? id}:${name}`;
  const [value, setValue] = useState<Value>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial;
    } catch {
      return initial;
    }
  });
  const keep = (next: Value) => {
    setValue(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return [value, keep] as const;
}
