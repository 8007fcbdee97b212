import type { TermPiece } from './consumer_terms.ts';
import type { FeeRule } from './settings.ts';

/** Each term of consumers in the words of a notice, in both languages. */
const names: Readonly<Record<string, readonly [en: string, es: string]>> = {
  'limits.load_per_transaction': [
    'The most you can add at a time',
    'Lo máximo que puede añadir cada vez',
  ],
  'limits.load_daily': ['The most you can add in a day', 'Lo máximo que puede añadir en un día'],
  'limits.load_30_day': [
    'The most you can add in 30 days',
    'Lo máximo que puede añadir en 30 días',
  ],
  'limits.payment_per_transaction': [
    'The most you can pay at a time',
    'Lo máximo que puede pagar cada vez',
  ],
  'limits.payment_daily': ['The most you can pay in a day', 'Lo máximo que puede pagar en un día'],
  'limits.withdrawal_per_transaction': [
    'The most you can withdraw at a time',
    'Lo máximo que puede retirar cada vez',
  ],
  'limits.withdrawal_daily': [
    'The most you can withdraw in a day',
    'Lo máximo que puede retirar en un día',
  ],
  'limits.balance_maximum': [
    'The most your account can hold',
    'Lo máximo que puede tener su cuenta',
  ],
  'flows.loads': ['Adding money', 'Añadir dinero'],
  'flows.payments_balance': ['Paying from your balance', 'Pagar con su saldo'],
  'flows.payments_bank': ['Paying from your bank', 'Pagar desde su banco'],
  'fees.platform': [
    'The fee of a payment from your balance',
    'La comisión de un pago con su saldo',
  ],
  'fees.tenant': [
    'The further fee of a payment from your balance',
    'La comisión adicional de un pago con su saldo',
  ],
};

const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

function feeText(rule: FeeRule | null, none: string): string {
  if (rule?.paid_by !== 'payer') return none;
  const parts = [
    ...(rule.basis_points > 0 ? [`${rule.basis_points / 100}%`] : []),
    ...(rule.fixed > 0 ? [dollars(rule.fixed)] : []),
  ];
  return parts.join(' + ') || none;
}

function valueText(value: TermPiece['after'], field: string, language: 'en' | 'es'): string {
  const says = {
    en: ['no limit', 'available', 'not available', 'none'],
    es: ['sin límite', 'disponible', 'no disponible', 'ninguna'],
  };
  const [unlimited, on, off, none] = says[language] as [string, string, string, string];
  if (field.startsWith('flows.')) return value ? on : off;
  if (field.startsWith('fees.')) return feeText(value as FeeRule | null, none);
  return value === null ? unlimited : dollars(value as number);
}

/** `The most you can pay in a day: $10,000.00 until then, $5,000.00 from then on.` */
export function termWords({ field, before, after }: TermPiece): { en: string; es: string } {
  const [group = '', key = ''] = field.split('.');
  const [en, es] = names[`${group}.${key}`] ?? [field, field];
  const [was, is] = (['en', 'es'] as const).map((language) => [
    valueText(before, field, language),
    valueText(after, field, language),
  ]) as [[string, string], [string, string]];
  return {
    en: `${en}: ${was[0]} until then, ${was[1]} from then on.`,
    es: `${es}: ${is[0]} hasta entonces, ${is[1]} desde entonces.`,
  };
}
