import { useEffect } from 'preact/hooks';

/** When a pressed button disappears, the focus goes to the heading of its column (WCAG 2.4.3). */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let column: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      const found = target instanceof Element ? target.closest('.column, .tour') : null;
      // A hosted page over the shop gives the focus back to where it was.
      if (!found || !(target instanceof Element)) return;
      last = target;
      column = found;
    };
    const forget = () => {
      last = null;
    };
    const watcher = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      const headings = column?.querySelectorAll<HTMLElement>(':is(h2, h3)[tabindex]');
      headings?.item(headings.length - 1)?.focus();
    });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget);
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget);
      watcher.disconnect();
    };
  }, []);
}
