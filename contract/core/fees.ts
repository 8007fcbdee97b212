/** The words by which fee rules tell payments apart; payments show them too (rules/payments#12). */

export const paymentTypes = ['consumer_to_merchant', 'merchant_to_merchant'] as const;
export const paymentSources = ['balance', 'bank_account'] as const;
export const feeTypes = ['platform', 'tenant'] as const;
export const feeBearers = ['payer', 'payee'] as const;
