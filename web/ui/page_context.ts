import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { money } from './money.ts';
import type { Texts } from './texts/en.ts';
import type { Locale } from './texts/locale.ts';

/** What every component may need to know of the page. */
export interface Page {
  readonly texts: Texts;
  readonly locale: Locale;
  readonly tenantName: string;
  /** In a frame of another page: no passkey can be made here. */
  readonly isFramed: boolean;
  /** Hears which step is shown. */
  readonly seen: (step: string) => void;
}

export const PageContext = createContext<Page | null>(null);

/** The page around a component; its dollars are written as its language writes them. */
export function usePage() {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage() needs a PageContext');
  return { ...page, dollars: (cents: number) => money(cents, page.locale) };
}
