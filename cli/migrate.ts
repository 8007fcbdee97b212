import { type Declaration, json, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Options {
  readonly dryRun?: true;
  readonly json?: true;
}

/** `migrate --dry-run`: what waits and what would stop it; an obstacle is exit code 1. */
function plan(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'migrations', 'plan', {});
  const { waiting, classes, unknown, obstacles } = answer;
  const next =
    obstacles.length > 0
      ? 'Mend what is named above, then look again.'
      : waiting.length > 0
        ? 'Apply them with: npm run cli -- migrate'
        : 'Nothing to do.';
  print(terminal, options, answer, [
    `Migrations that wait: ${waiting.length === 0 ? 'none.' : ''}`,
    ...classes.map((line) => `  ${line}`),
    ...(unknown.length > 0 ? [`Applied by a newer release: ${unknown.join(', ')}.`] : []),
    ...obstacles.map((obstacle) => `Obstacle: ${obstacle}`),
    next,
  ]);
  return obstacles.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** `migrate`: brings the database up to date, as a start does. */
function migrate(terminal: Terminal, options: Options): ExitCode {
  if (options.dryRun) return plan(terminal, options);
  const answer = operate(terminal, 'migrations', 'apply', {});
  return print(terminal, options, answer, [
    `Applied migrations: ${answer.applied.join(', ') || 'none, all were there'}.`,
    'Next, start the processes of this release: npm start',
  ]);
}

export function declareMigrate({ terminal, root, add }: Declaration): void {
  const dryRun = ['--dry-run', 'say what would be applied, and what would stop it'] as const;
  const about = 'apply the migrations of this release, with MIGRATION_DATABASE_URL';
  add(root, 'migrate', about, [dryRun, json], (options: Options) => migrate(terminal, options));
}
