import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import type { Day } from '../../limits/days.ts';
import type { StatementTexts } from './statement_texts.ts';

const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre';
const monthNames = months.split(' ');

function partsOf(day: Day) {
  const [year, month = 1, date] = day.split('-').map(Number);
  return { year, month: monthNames[month - 1] ?? '', date };
}

/** `5 de enero de 2026` */
function longDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${date} de ${month} de ${year}`;
}

/** `5 ene 2026` */
function shortDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${date} ${month.slice(0, 3)} ${year}`;
}

export const spanish: StatementTexts = {
  language: 'es-US',
  title: 'Estado de cuenta',
  sample: 'Esto es una muestra. Enseña cómo serán sus estados de cuenta.',
  other: { language: 'en-US', text: 'This statement is also available in English.' },
  providedBy: (issuer) => `Servicio de ${issuer}`,
  heldBy: ({ name, bank }) => `Institución: ${name}, ${bank}`,
  holder: (name) => `Titular de la cuenta: ${name}`,
  account: (id) => `Cuenta digital terminada en ${id.slice(-4)}, número de cuenta: ${id}`,
  statement: (id) => `Número del estado de cuenta: ${id}`,
  period: (start, end) => `Período: del ${longDay(start)} al ${longDay(end)} (hora del Este)`,
  name: (start, end) => `Estado de cuenta del ${start} al ${end}`,
  footer: (start, end) => `Estado de cuenta, del ${longDay(start)} al ${longDay(end)}`,
  page: (number) => `página ${number}`,
  summary: 'Resumen',
  item: 'Concepto',
  opening: 'Saldo inicial',
  credits: 'Total de abonos',
  debits: 'Total de cargos',
  closing: 'Saldo final',
  feesOfPeriod: 'Comisiones de este período',
  feesOfYear: (year) => `Comisiones de ${year} hasta ahora`,
  transactions: 'Movimientos',
  none: 'No hubo movimientos en este período.',
  summed: (count) =>
    `Este período tiene ${count.toLocaleString('en-US')} movimientos. Cada línea es el total de un día y un tipo.`,
  counted: (count) => `${count} ${count === 1 ? 'movimiento' : 'movimientos'}`,
  columns: ['Fecha', 'Movimiento', 'Detalles', 'Comisión', 'Importe', 'Saldo'],
  types: {
    load: 'Dinero añadido',
    payment_sent: 'Pago enviado',
    payment_received: 'Pago recibido',
    withdrawal: 'Retiro',
    refund_sent: 'Reembolso enviado',
    refund_received: 'Reembolso recibido',
    dispute_credit: 'Abono por reclamo',
    dispute_reversal: 'Abono revertido',
    adjustment: 'Ajuste',
  },
  day: shortDay,
  inquiries: 'Dirija sus consultas a',
  directTo: ({ name, address, phone, hours }) => [
    `${name}, ${address}`,
    `Teléfono: ${shownPhone(phone)} (${hours})`,
  ],
  errors: 'En caso de errores o preguntas sobre sus transferencias electrónicas',
  notice: ({ name, address, phone }) => [
    `Llámenos al ${shownPhone(phone)} o escríbanos a ${name}, ${address} lo antes posible si cree que su estado de cuenta o su recibo tiene un error, o si necesita más información sobre una transferencia que figura en ellos. Debemos recibir su aviso a más tardar 60 días después de haberle enviado el PRIMER estado de cuenta en el que apareció el error o el problema.`,
    '(1) Díganos su nombre y su número de cuenta (si lo tiene).',
    '(2) Describa el error o la transferencia sobre la que tiene dudas y explique con la mayor claridad posible por qué cree que es un error o por qué necesita más información.',
    '(3) Díganos el importe en dólares del supuesto error.',
    'Investigaremos su reclamo y corregiremos cualquier error sin demora. Si tardamos más de 10 días hábiles en hacerlo, abonaremos en su cuenta el importe que usted considera equivocado, para que pueda usar el dinero durante el tiempo que nos tome completar la investigación.',
  ],
};
