import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';

/** The languages of the shop's page; the hosted pages open in the same one. */
export const locales = { en, es } as const;
export type Locale = keyof typeof locales;

const keptAs = 'corner-shop-language';
const isLocale = (name: string): name is Locale => name in locales;

/** The choice of an earlier visit. Where a browser stores nothing, the touch of its storage throws. */
function keptLocale(): string {
  try {
    return localStorage.getItem(keptAs) ?? '';
  } catch {
    return '';
  }
}

/** The reader's choice, else the first language of the browser that the shop speaks. */
function firstLocale(): Locale {
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return [keptLocale(), ...spoken].find(isLocale) ?? 'en';
}

/** The language of the page, and how it is changed. */
export function useChosenLocale() {
  const [locale, setLocale] = useState(firstLocale);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const choose = (next: Locale) => {
    setLocale(next);
    try {
      localStorage.setItem(keptAs, next);
    } catch {
      // The choice holds for this visit.
    }
  };
  return { locale, choose };
}

export const LocaleContext = createContext<ReturnType<typeof useChosenLocale>>({
  locale: 'en',
  choose: () => {},
});

/** A name of a record's state or part, in words. */
export const worded = (texts: Texts, name: string): string =>
  texts.words[name] ?? name.replaceAll(/[._]/g, ' ');

export function useTexts() {
  const { locale, choose } = useContext(LocaleContext);
  const texts = locales[locale];
  const format = (of: Intl.DateTimeFormatOptions) => (at: string | number) =>
    new Intl.DateTimeFormat(`${locale}-US`, of).format(new Date(at));
  return {
    texts,
    locale,
    choose,
    words: (name: string) => worded(texts, name),
    goods: (id: string, name: string) => texts.goods[id] ?? name,
    /** `Nov 24` */
    dayOf: format({ month: 'short', day: 'numeric' }),
    /** `November 24, 2026 at 3:05 PM` */
    momentOf: format({ dateStyle: 'long', timeStyle: 'short' }),
  };
}
