import type { refusals as english } from '../en/refusals.ts';

export const refusals: typeof english = {
  codes: {
    linked_account_required:
      'No hay una cuenta bancaria vinculada. Vincule una en Más, Cuenta bancaria.',
    withdrawal_hold:
      'Los retiros a un banco nuevo esperan 72 horas. Adelante el reloj en el inspector.',
    payment_request_paid: 'Este código ya se pagó. No queda nada por hacer.',
    payment_request_expired: 'Este código venció. Pida uno nuevo en la caja.',
    payment_request_invalid: 'Este código no es de una tienda de aquí. Pida el código en la caja.',
    'payment_request_invalid malformed':
      'Este no es un código de pago, o le falta una parte. Cópielo completo.',
    'payment_request_invalid signature':
      'Este código no es auténtico: se cambió o se hizo en otro lugar. No lo pague.',
    'payment_request_invalid environment':
      'Este código es para dinero real. Este es un entorno de prueba.',
    'payment_request_invalid canceled': 'La tienda canceló este código. Pida uno nuevo en la caja.',
    'payment_request_invalid payment_in_progress':
      'Alguien ya está pagando este código. Espere un momento.',
    capability_unavailable:
      'Este banco no puede hacer eso. Pague con la billetera o vincule otro banco.',
    refund_exceeds_payment: 'Es más de lo que queda por reembolsar. Reembolse menos.',
    account_restricted:
      'La billetera está restringida. Vea en la primera página si hay condiciones nuevas por aceptar.',
    invalid_state: 'Ya avanzó entretanto. Espere hasta que la página lo muestre.',
    offline: 'La tienda no responde. Compruebe que la prueba esté en marcha e inténtelo de nuevo.',
    not_confirmed: 'No se confirmó. Presione de nuevo.',
    unknown: 'No funcionó. Inténtelo de nuevo.',
  },
  limits: {
    load_per_transaction: ({ maximum }) => `Puede agregar ${maximum} por vez. Agregue menos.`,
    load_daily: ({ maximum, left, until }) =>
      `Su límite es de ${maximum} al día y le quedan ${left}. Agregue eso o menos, o espere hasta el ${until}.`,
    load_30_day: ({ maximum, left, until }) =>
      `Su límite es de ${maximum} en 30 días y le quedan ${left}. Agregue eso o menos, o espere hasta el ${until}.`,
    balance_maximum: ({ maximum, left }) =>
      `Una billetera guarda ${maximum} como máximo. Agregue ${left} o menos, o gaste primero.`,
    payment_per_transaction: ({ maximum }) =>
      `Puede pagar ${maximum} por vez. Pida a la tienda un monto menor.`,
    payment_daily: ({ maximum, left, until }) =>
      `Su límite es de ${maximum} al día y le quedan ${left}. Pague eso o menos, o espere hasta el ${until}.`,
    withdrawal_per_transaction: ({ maximum }) => `Puede retirar ${maximum} por vez. Retire menos.`,
    withdrawal_daily: ({ maximum, left, until }) =>
      `Su límite es de ${maximum} al día y le quedan ${left}. Retire eso o menos, o espere hasta el ${until}.`,
    network_maximum: ({ maximum }) =>
      `Los bancos aceptan ${maximum} en una transferencia. Elija un monto menor.`,
  },
  limit: 'Eso supera un límite. Elija un monto menor.',
  funds: {
    pay: (available) =>
      `Solo hay ${available} en la billetera. Agregue dinero o pague con su banco.`,
    withdraw: (available) => `Solo hay ${available} en la billetera. Retire esa cantidad o menos.`,
    shop: (available) => `Solo hay ${available} en la cuenta de la tienda. Pague menos.`,
  },
};
