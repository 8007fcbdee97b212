import type { Texts } from '../en.ts';

/** Texts of the parts that pages are made of. */
export const common: Texts['common'] = {
  sandbox: 'Entorno de prueba: no se mueve dinero real',
  secure: 'Pago seguro',
  loading: 'Cargando',
  close: 'Cerrar',
  back: 'Atrás',
  next: 'Continuar',
  done: 'Listo',
  retry: 'Intentar de nuevo',
  show: 'Mostrar',
  hide: 'Ocultar',
  optional: 'opcional',
  working: 'Un momento',
  copy: 'Copiar',
  copied: 'Copiado',
  step: (now, all) => `Paso ${now} de ${all}`,
  reference: (id) => `Referencia para soporte: ${id}`,
  backTo: (tenant) => `Volver a ${tenant}`,
  mayClose: 'Puede cerrar esta página.',
  errorsFound: 'Revise lo siguiente',
  showSecret: (label) => `Mostrar ${label}`,
  hideSecret: (label) => `Ocultar ${label}`,
  choose: 'Elija',
  date: {
    hint: 'Por ejemplo: 03 / 14 / 1987',
    parts: { month: 'Mes', day: 'Día', year: 'Año' },
  },
  attempts: [
    'No quedan intentos.',
    'Queda un intento.',
    'Quedan dos intentos.',
    'Quedan tres intentos.',
    'Quedan cuatro intentos.',
    'Quedan cinco intentos.',
  ],
};

/** Problems, each shown as a page or as a notice. */
export const trouble: Texts['trouble'] = {
  usedTitle: 'Este enlace ya se usó',
  used: 'Por su seguridad, un enlace se abre una sola vez. Regrese y comience de nuevo.',
  expiredTitle: 'Se agotó el tiempo de esta página',
  expired: 'Por su seguridad, se cierra tras un tiempo sin actividad. Regrese y comience de nuevo.',
  linkExpiredTitle: 'Este enlace venció',
  linkExpired: 'Regrese y comience de nuevo.',
  unknownTitle: 'Este enlace no funciona',
  unknown: 'Regrese adonde lo encontró y ábralo otra vez.',
  endedTitle: 'Este paso ya no hace falta',
  ended: 'Ya terminó o otro más nuevo lo reemplazó. Regrese para ver el resultado.',
  canceledTitle: 'Cancelado',
  canceled: 'No se cambió nada.',
  aloneTitle: 'Abra esta página desde la aplicación o el sitio web',
  alone:
    'No se puede abrir por sí sola. Vuelva a la aplicación o al sitio web y comience de nuevo.',
  unansweredTitle: 'No pudimos conectar esta página',
  unanswered:
    'La aplicación o el sitio web que la abrió no respondió. Ciérrela e inténtelo de nuevo.',
  unregisteredTitle: 'Este sitio no puede abrir esta página',
  unregistered:
    'No se cobró nada. Cierre esta página y avise al sitio. Para sus desarrolladores: su dirección no está en el ajuste frame_origins; agréguela en el portal, en Settings.',
  unsupportedTitle: 'Su navegador no está actualizado',
  unsupported:
    'Actualícelo o abra esta página en una versión actual de Chrome, Edge, Firefox o Safari.',
  offlineTitle: 'Sin conexión',
  offline:
    'Revise su conexión a internet e inténtelo de nuevo. No se perdió nada de lo que escribió.',
  offlineStart: 'Revise su conexión a internet e inténtelo de nuevo.',
  serviceTitle: 'Algo falló de nuestro lado',
  service: 'Inténtelo de nuevo en un momento.',
  busyTitle: 'Demasiados intentos',
  busy: (seconds) =>
    seconds > 90
      ? `Espere ${Math.ceil(seconds / 60)} minutos e inténtelo de nuevo.`
      : `Espere ${seconds} segundos e inténtelo de nuevo.`,
  lostTitle: 'Esta página ya no está activa',
  lost: 'Regrese y comience de nuevo.',
  refused: 'No funcionó. Revise lo que escribió e inténtelo de nuevo.',
};
