import type { Texts } from '../en.ts';

/** The time limit of a page, and leaving it. */
export const staying: Texts['staying'] = {
  timeTitle: '¿Necesita más tiempo?',
  time: 'Por su seguridad, esta página se cerrará pronto porque no hubo actividad.',
  timeLastTitle: 'Esta página se cerrará pronto',
  timeLast: 'Por su seguridad, no puede quedar abierta más tiempo.',
  timeLeft: 'Tiempo restante',
  moreTime: 'Necesito más tiempo',
  understood: 'Entendido',
  leaveTitle: '¿Salir de esta página?',
  leavePayment: 'No se moverá dinero, a menos que vuelva y confirme.',
  leaveForm: 'Lo que escribió no se guardará.',
  leave: 'Salir',
  stay: 'Quedarme',
};
