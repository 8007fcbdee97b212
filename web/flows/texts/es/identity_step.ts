import type { Texts } from '../en.ts';

/** The identity provider's own step of an application. */
export const identityStep: Texts['identityStep'] = {
  title: 'Un paso más: muestre quién es',
  text: 'Tenga a mano su identificación. El paso se abre en una página aparte y toma unos minutos.',
  start: 'Verificar mi identidad',
  left: 'Salió antes de terminar. Puede seguir donde lo dejó.',
  again: 'Seguir',
  doneTitle: 'Gracias',
  done: (tenant) => `Estamos revisando lo que entregó. ${tenant} le avisará del resultado.`,
};
