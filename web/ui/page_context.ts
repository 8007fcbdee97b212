import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { money } from './money.ts';
import type { Texts } from './texts/en.ts';
import type { Locale } from './texts/locale.ts';

/** The facts of the page that any component may need. */
export interface Page {
  readonly texts: Texts;
  readonly locale: Locale;
  readonly tenantName: string;
  /** The page stands in a frame of another page: no passkey can be made here. */
  readonly isFramed: boolean;
  /** Hears the name of each step that is shown. */
  readonly seen: (step: string) => void;
}

export const PageContext = createContext<Page | null>(null);

/** The page around a component; its dollars are written as its language writes them. */
export function usePage() {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage() needs a PageContext');
  return { ...page, dollars: (cents: number) => money(cents, page.locale) };
}
