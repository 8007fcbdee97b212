import type { Texts } from '../en.ts';

/** Words that every flow uses. */
export const common: Texts['common'] = {
  sandbox: 'Entorno de prueba: no se mueve dinero real',
  loading: 'Cargando',
  close: 'Cerrar',
  back: 'Atrás',
  next: 'Continuar',
  done: 'Listo',
  retry: 'Intentar de nuevo',
  cancel: 'Cancelar',
  show: 'Mostrar',
  hide: 'Ocultar',
  optional: 'opcional',
  working: 'Un momento',
  copy: 'Copiar',
  copied: 'Copiado',
  step: (now, all) => `Paso ${now} de ${all}`,
  reference: (id) => `Referencia para la asistencia: ${id}`,
  backTo: (tenant) => `Volver a ${tenant}`,
  mayClose: 'Puede cerrar esta página.',
  errorsFound: 'Revise estas respuestas',
  showSecret: (label) => `Mostrar ${label}`,
  hideSecret: (label) => `Ocultar ${label}`,
  attempts: [
    'No quedan intentos.',
    'Queda un intento.',
    'Quedan dos intentos.',
    'Quedan tres intentos.',
    'Quedan cuatro intentos.',
    'Quedan cinco intentos.',
  ],
};

/** What stands in the way, each a page or a notice of its own. */
export const trouble: Texts['trouble'] = {
  usedTitle: 'Este enlace ya se usó',
  used: 'Se abre una sola vez, por su seguridad. Vuelva atrás y empiece de nuevo.',
  expiredTitle: 'Se acabó el tiempo',
  expired:
    'No hubo actividad durante un rato y la página se cerró. Vuelva atrás y empiece de nuevo.',
  linkExpiredTitle: 'Este enlace es demasiado antiguo',
  linkExpired: 'Vuelva atrás y empiece de nuevo.',
  unknownTitle: 'No conocemos este enlace',
  unknown: 'Abra la página otra vez desde donde venía.',
  endedTitle: 'Este paso ya no hace falta',
  ended: 'Terminó o lo sustituyó uno más nuevo. Vuelva atrás para ver qué pasó.',
  canceledTitle: 'Cancelado',
  canceled: 'No se cambió nada.',
  aloneTitle: 'Esta página se abre desde una aplicación o una tienda',
  alone: 'Vuelva allí y empiece de nuevo.',
  unansweredTitle: 'Esta página quedó sin conexión',
  unanswered: 'La página que la abrió no respondió. Ciérrela e inténtelo de nuevo.',
  unsupportedTitle: 'Este navegador es demasiado antiguo',
  unsupported:
    'Actualícelo o abra esta página en una versión actual de Chrome, Edge, Firefox o Safari.',
  offlineTitle: 'Sin conexión',
  offline: 'Revise su conexión e inténtelo de nuevo. No se perdió nada de lo que escribió.',
  offlineStart: 'Revise su conexión e inténtelo de nuevo.',
  serviceTitle: 'Algo falló de nuestro lado',
  service: 'Inténtelo de nuevo en un momento.',
  busyTitle: 'Demasiadas solicitudes',
  busy: (seconds) =>
    seconds > 90
      ? `Espere ${Math.ceil(seconds / 60)} minutos e inténtelo de nuevo.`
      : `Espere ${seconds} segundos e inténtelo de nuevo.`,
  lostTitle: 'Esta página ha terminado',
  lost: 'Vuelva atrás y empiece de nuevo.',
  refused: 'No fue posible. Revise lo que escribió e inténtelo de nuevo.',
};

/** Time in a page, and leaving it. */
export const staying: Texts['staying'] = {
  timeTitle: '¿Necesita más tiempo?',
  time: 'Esta página se cerrará pronto porque no hubo actividad durante un rato.',
  timeLastTitle: 'Esta página se cerrará pronto',
  timeLast: 'Por su seguridad no puede quedar abierta más tiempo.',
  timeLeft: 'Tiempo restante',
  moreTime: 'Necesito más tiempo',
  understood: 'De acuerdo',
  leaveTitle: '¿Salir de esta página?',
  leavePayment: 'No se confirmará nada.',
  leaveForm: 'Lo que escribió aquí no se guarda.',
  leave: 'Salir',
  stay: 'Quedarme',
};
