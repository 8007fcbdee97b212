import type { Texts } from '../en.ts';

/** pin_reset. */
export const pinReset: Texts['pinReset'] = {
  identityTitle: 'Demuestre quién es',
  identityText: 'Tal como nos lo dijo al abrir la cuenta.',
  ssn4: 'Últimas cuatro cifras de su número de Seguro Social',
  ein4: 'Últimas cuatro cifras del EIN',
  badLast4: 'Escriba cuatro cifras',
  pinTitle: 'Elija un PIN nuevo',
  set: 'Guardar el PIN',
  doneTitle: 'Su PIN nuevo está listo',
  done: 'Úselo a partir de ahora.',
};

/** contact_change. */
export const contact: Texts['contact'] = {
  title: '¿Qué quiere cambiar?',
  email: 'Correo electrónico',
  mobile: 'Número de móvil',
  newEmail: 'Correo electrónico nuevo',
  newMobile: 'Número de móvil nuevo',
  now: (value) => `Ahora ${value}`,
  endingIn: (last4) => `terminado en ${last4}`,
  pinTitle: 'Confirme con su PIN',
  change: 'Cambiar',
  doneTitle: 'Cambiado',
  doneEmail: 'Su correo electrónico nuevo ya está en uso.',
  doneMobile: 'Su número de móvil nuevo ya está en uso.',
};

/** terms_acceptance. */
export const terms: Texts['terms'] = {
  title: 'Condiciones nuevas',
  text: 'Lea lo que ha cambiado. Se aplica cuando lo acepte.',
  inForceTitle: 'Condiciones vigentes',
  inForce: 'Ya aceptó todas.',
  accept: 'Aceptar',
  decline: 'Rechazar',
  declineTitle: '¿Rechazar las condiciones nuevas?',
  declineText: 'Quedan pendientes y puede aceptarlas más tarde.',
  declineYes: 'Sí, rechazar',
  declineNo: 'Volver',
  acceptedTitle: 'Condiciones aceptadas',
  accepted: 'Gracias.',
  declinedTitle: 'Condiciones sin aceptar',
  declined: 'No ha cambiado nada. Puede aceptarlas más tarde.',
};

/** Sandbox Bank. */
export const bank: Texts['bank'] = {
  title: 'Elija un banco',
  text: 'Estos bancos son inventados. Cada uno se comporta a su manera.',
  outcomes: {
    verified: 'Se verifica',
    failed: 'No pasa la comprobación',
    unclear: 'Queda en revisión',
  },
  accountTypes: { checking: 'Cuenta corriente', savings: 'Cuenta de ahorros' },
  account: (type, mask) => `${type} terminada en ${mask}`,
  accountTitle: 'Elija una cuenta',
  shareTitle: '¿Compartir esta cuenta?',
  share: (tenant) =>
    `${tenant} podrá ver la cuenta y usarla para mover dinero cuando usted lo confirme.`,
  yes: 'Compartir cuenta',
  doneTitle: 'Cuenta compartida',
  done: (tenant) => `Vuelva a ${tenant} para verla.`,
  token: 'Token público',
  accountId: 'Identificador de la cuenta',
  tokenText: 'Ninguna página lo espera. Cópielo para POST /v1/customers/{id}/linked-accounts.',
};
