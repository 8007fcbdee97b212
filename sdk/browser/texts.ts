const texts = {
  en: { title: 'Secure window', loading: 'Loading…', close: 'Close' },
  es: { title: 'Ventana segura', loading: 'Cargando…', close: 'Cerrar' },
};

/** What the SDK says itself, before the page has come. */
export type Texts = (typeof texts)['en'];

/** @param locale as the Tenant asked, else the browser's */
export const textsOf = (locale: string = navigator.language): Texts =>
  texts[locale.toLowerCase().startsWith('es') ? 'es' : 'en'];
