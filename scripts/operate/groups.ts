/**
 * The commands that work on a deployment's own database, a file for each group; only the one that is
 * asked for is loaded. Each operation takes the deployment and what the command line was given.
 */
export const groups = {
  audit: () => import('./audit.ts'),
  backup: () => import('./backup.ts'),
  cells: () => import('./cells.ts'),
  credentials: () => import('./credentials.ts'),
  documents: () => import('./documents.ts'),
  keys: () => import('./keys.ts'),
  ledger: () => import('./ledger.ts'),
  members: () => import('./members.ts'),
  migrations: () => import('./migrations.ts'),
  operators: () => import('./operators.ts'),
  rails: () => import('./rails.ts'),
  restore: () => import('./restore.ts'),
  settings: () => import('./settings.ts'),
  tenants: () => import('./tenants.ts'),
  webhooks: () => import('./webhooks.ts'),
};
