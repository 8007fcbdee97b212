import type { ReactNode } from 'react';

/** A wide table that scrolls by itself on a narrow window, by keyboard too. */
export const Scrolling = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1)
  <section className="scrolling" tabIndex={0} aria-label={label}>
    {children}
  </section>
);
