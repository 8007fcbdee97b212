import type { Texts } from '../en.ts';

/** Texts of a page whose script did not come: they are in the page itself. */
export const start: Texts['start'] = {
  brokenTitle: 'La página no se cargó por completo',
  broken: 'Revise su conexión a internet e inténtelo de nuevo. Todavía no se envió nada.',
  again: 'Intentar de nuevo',
};
