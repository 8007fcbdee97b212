import { useEffect, useRef } from 'react';

/** The places in which keys have a meaning of their own. */
const elsewhere =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="dialog"], [aria-haspopup]';

/** The act of each key of the page. */
export type Keyed = Readonly<Record<string, () => void>>;

/** Single keys of a page, by what they type. Whatever has the focus and needs keys itself keeps them. */
export function useKeys(keyed: Keyed): void {
  const latest = useRef(keyed);
  useEffect(() => {
    latest.current = keyed;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing)
        return;
      if (event.target instanceof Element && event.target.closest(elsewhere)) return;
      // A dialog may be open before its first field has the focus.
      if (document.querySelector('[role="dialog"]')) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
