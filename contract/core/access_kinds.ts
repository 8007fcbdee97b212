/** Kinds of reading that leave an access record (rules/audit#18). */
export const accessKinds = [
  'record',
  'case',
  'deliveries',
  'statement',
  'report',
  'letter',
  'export',
  'search',
] as const;
export type AccessKind = (typeof accessKinds)[number];
