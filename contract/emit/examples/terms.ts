/** Terms of consumers that get worse. */
export const termChange = {
  object: 'term_change',
  id: '019cb0c4-5e00-7000-8000-0000000000e1',
  status: 'waiting',
  terms: [
    {
      field: 'limits.payment_daily.individual',
      waits: true,
      words: {
        en: 'The most you can pay in a day: $10,000.00 until then, $5,000.00 from then on.',
        es: 'Lo máximo que puede pagar en un día: $10,000.00 hasta entonces, $5,000.00 desde entonces.',
      },
    },
  ],
  security_reason: null,
  consumers: 1_240,
  told_at: '2026-03-02T14:02:00.000Z',
  effective_at: '2026-03-24T04:00:00.000Z',
  created_at: '2026-03-02T14:00:00.000Z',
};
