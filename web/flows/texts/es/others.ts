import type { Texts } from '../en.ts';

/** pin_reset. */
export const pinReset: Texts['pinReset'] = {
  identityTitle: 'Verifique su identidad',
  identityText: 'Use los datos que nos dio al abrir la cuenta.',
  birthDate: 'Fecha de nacimiento',
  ssn4: 'Últimos cuatro dígitos de su número de Seguro Social o ITIN',
  ofBusiness: {
    identityText:
      'Use los datos de la persona de control y el EIN, tal como se dieron al abrir la cuenta.',
    birthDate: 'Fecha de nacimiento de la persona de control',
    ssn4: 'Últimos cuatro dígitos de su número de Seguro Social o ITIN',
  },
  badLast4: 'Escriba cuatro dígitos',
  pinTitle: 'Elija un PIN nuevo',
  set: 'Guardar el PIN',
  doneTitle: 'Su PIN nuevo está listo',
  done: 'Úselo a partir de ahora.',
  passkeysGo: 'Un PIN nuevo elimina sus llaves de acceso. Para conservar una, úsela ahora.',
  passkeyKept: 'La llave de acceso que acaba de usar se conserva.',
  closedTitle: 'Su PIN no se puede restablecer aquí',
  closed: (tenant) =>
    `Los datos no coincidieron demasiadas veces. Comuníquese con ${tenant} para elegir un PIN nuevo.`,
};

/** contact_change. */
export const contact: Texts['contact'] = {
  title: '¿Qué quiere cambiar?',
  email: 'Correo electrónico',
  mobile: 'Número de celular',
  newEmail: 'Correo electrónico nuevo',
  newMobile: 'Número de celular nuevo',
  now: (value) => `Actual: ${value}`,
  endingIn: (last4) => `terminado en ${last4}`,
  pinTitle: 'Confirme con su PIN',
  lockedReset: 'Restablézcalo para cambiar sus datos.',
  change: 'Guardar el cambio',
  doneTitle: 'Cambio guardado',
  doneEmail: 'Ya usamos su correo electrónico nuevo.',
  doneMobile: 'Ya usamos su número de celular nuevo.',
  passkeys: 'Llaves de acceso',
  passkeyCount: (count) =>
    count === 0
      ? 'Ninguna todavía'
      : count === 1
        ? 'Una llave de acceso'
        : `${count} llaves de acceso`,
};

/** The passkeys of a customer, in contact_change. */
export const passkeys: Texts['passkeys'] = {
  title: 'Sus llaves de acceso',
  text: 'Cada una puede confirmar en lugar de su PIN. Elimine las que no reconozca o ya no use.',
  none: 'No tiene llaves de acceso. Con una confirma con la cara, la huella o el bloqueo de pantalla en lugar del PIN.',
  kinds: {
    device: 'Teléfono o computadora',
    phone: 'Teléfono',
    security_key: 'Llave de seguridad',
    unknown: 'Llave de acceso',
  },
  added: (date) => `Agregada el ${date}`,
  used: (date) => `Usada por última vez el ${date}`,
  neverUsed: 'Sin usar todavía',
  prove: 'Antes de ver sus llaves de acceso, demuestre que es usted.',
  proveToAdd: 'Para agregar una llave de acceso, escriba su PIN.',
  proveLocked: 'Su PIN está bloqueado. Use una llave de acceso para demostrar que es usted.',
  add: 'Agregar una llave de acceso',
  wasAdded: 'Llave de acceso agregada.',
  notAdded: 'No se agregó ninguna llave de acceso.',
  remove: 'Eliminar',
  removeWhich: (name, added) => `Eliminar ${name}, ${added}`,
  removeTitle: '¿Eliminar esta llave de acceso?',
  removeText: 'Ya no confirmará nada aquí. Bórrela también en su dispositivo.',
  removeYes: 'Sí, eliminar',
  removeNo: 'Conservarla',
  wasRemoved: 'Llave de acceso eliminada.',
  doneTitle: 'Listo',
  done: 'Sus llaves de acceso quedan como las dejó.',
};

/** terms_acceptance. */
export const terms: Texts['terms'] = {
  title: 'Condiciones nuevas',
  text: 'Lea lo que cambió. Junto a cada una dice desde cuándo se le aplica.',
  inForceTitle: 'Sus condiciones actuales',
  inForce: 'Ya aceptó todas.',
  accept: 'Aceptar',
  decline: 'Rechazar',
  declineTitle: '¿Rechazar las condiciones nuevas?',
  declineText: 'Todavía puede aceptarlas más tarde.',
  declineYes: 'Sí, rechazar',
  declineNo: 'Volver',
  acceptedTitle: 'Condiciones aceptadas',
  accepted: 'Gracias.',
  declinedTitle: 'Condiciones sin aceptar',
  declined: 'No cambió nada. Puede aceptarlas más tarde.',
};

/** Sandbox Bank. */
export const bank: Texts['bank'] = {
  title: 'Elija un banco',
  text: 'Estos son bancos de prueba. Cada uno da un resultado distinto.',
  outcomes: {
    verified: 'Pasa la verificación',
    failed: 'No pasa la verificación',
    unclear: 'Pasa a revisión',
  },
  accountTypes: { checking: 'Cuenta de cheques', savings: 'Cuenta de ahorros' },
  account: (type, mask) => `${type} terminada en ${mask}`,
  accountTitle: 'Elija una cuenta',
  shareTitle: '¿Compartir esta cuenta?',
  share: (tenant) =>
    `${tenant} verá esta cuenta y podrá mover dinero desde ella y hacia ella cuando usted lo confirme.`,
  yes: 'Compartir cuenta',
  doneTitle: 'Cuenta compartida',
  done: (tenant) => `Vuelva a ${tenant} para verla.`,
  token: 'Token público',
  accountId: 'Identificador de la cuenta',
  tokenText:
    'Ninguna página espera este resultado. Cópielo en POST /v1/customers/{id}/linked-accounts.',
};
