const texts = {
  en: { title: 'Secure window', loading: 'Loading…', close: 'Close' },
  es: { title: 'Ventana segura', loading: 'Cargando…', close: 'Cerrar' },
};

/** The SDK's own texts, shown until the page has loaded. */
export type Texts = (typeof texts)['en'];

/** @param locale the Tenant's choice, else the browser's language */
export const textsOf = (locale: string = navigator.language): Texts =>
  texts[locale.toLowerCase().startsWith('es') ? 'es' : 'en'];
