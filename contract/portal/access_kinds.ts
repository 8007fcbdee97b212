/** What may be read of a record that holds personal data (rules/audit#18). */
export const accessKinds = [
  'record',
  'case',
  'deliveries',
  'statement',
  'report',
  'letter',
  'export',
] as const;
export type AccessKind = (typeof accessKinds)[number];
