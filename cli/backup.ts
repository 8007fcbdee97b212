import { type Declaration, json, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Options {
  readonly json?: true;
}

/** `backup check`: exit code 1 where something is wrong. */
function check(terminal: Terminal, options: Options): ExitCode {
  const answer = operate(terminal, 'backup', 'check', {});
  const { ok, faults } = answer;
  print(terminal, options, answer, ok ? ['The backups are as they should be.'] : faults);
  return ok ? exitCodes.done : exitCodes.failed;
}

interface NoteOptions extends Options {
  readonly place: string;
  readonly tried?: true;
}

/** `backup note`: that a base backup was made, or was tried. */
function note(terminal: Terminal, options: NoteOptions): ExitCode {
  const what = options.tried ? 'tried' : 'made';
  const answer = operate(terminal, 'backup', 'note', { what, place: options.place });
  return print(terminal, options, answer, [`Noted at ${answer.at}: ${what}.`]);
}

/** `backup create`: of the embedded server, while it runs. */
function create(terminal: Terminal, options: Options & { readonly to: string }): ExitCode {
  const answer = operate(terminal, 'backup', 'create', { to: options.to });
  return print(terminal, options, answer, [
    `Made ${answer.place}, as the database was at ${answer.made_at}.`,
    'The secrets are not in it: keep them elsewhere.',
  ]);
}

/** `backup restore`: of the embedded server, while it is stopped. */
function restore(terminal: Terminal, options: Options & { readonly from: string }): ExitCode {
  const answer = operate(terminal, 'backup', 'restore', { from: options.from });
  return print(terminal, options, answer, [
    `The database is as it was at ${answer.restored_to}.`,
    ...(answer.kept === null ? [] : [`What was there is in ${answer.kept}.`]),
    'Orders, messages and events are held. Start the service, then: npm run cli -- restore status --take',
  ]);
}

export function declareBackup({ terminal, root, add }: Declaration): void {
  const backup = add(root, 'backup', 'backups of the database', []);
  add(backup, 'check', 'what is wrong with them; exit code 1', [json], (options: Options) =>
    check(terminal, options),
  );
  const noted = [
    ['--place <text>', 'where it is', 'required'],
    ['--tried', 'it was restored to try it; absent: it was made'],
    json,
  ] as const;
  add(backup, 'note', 'note that a base backup was made, or tried', noted, (given: NoteOptions) =>
    note(terminal, given),
  );
  const to = ['--to <folder>', 'a folder that is not there', 'required'] as const;
  const from = ['--from <folder>', 'what backup create has made', 'required'] as const;
  add(
    backup,
    'create',
    'copy the embedded database while it runs',
    [to, json],
    (options: Options & { readonly to: string }) => create(terminal, options),
  );
  add(
    backup,
    'restore',
    'put such a copy in its place; the service must be stopped',
    [from, json],
    (options: Options & { readonly from: string }) => restore(terminal, options),
  );
}
