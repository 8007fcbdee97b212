import { memberRoles, staffRoles } from '@tenant-payments/contract/core/roles.ts';
import { type Declaration, json, needsTenant, print } from './declare.ts';
import { type AnswerOf, operate } from './operate.ts';
import { rolesOf } from './roles.ts';
import type { ExitCode, Terminal } from './terminal.ts';

interface Options {
  readonly json?: true;
}

interface InviteOptions extends Options {
  readonly email: string;
  readonly role: string;
}

interface OfTenant {
  readonly tenant: string;
}

/** A link that is shown once, and what its person does with it. */
function printLink(
  terminal: Terminal,
  options: Options,
  made: AnswerOf<'operators', 'create'>,
  title: string,
): ExitCode {
  return print(terminal, options, made, [
    title,
    `  ${made.link}`,
    `It works once, until ${made.expires_at}. Send it to them alone: it is shown only now.`,
    'They open it in a browser and make a passkey.',
  ]);
}

function printPeople(
  terminal: Terminal,
  options: Options,
  answer: AnswerOf<'operators', 'list'>,
  next: string,
): ExitCode {
  const rows = answer.data.map(({ email, roles, disabled, last_signed_in_at: last }) =>
    [
      email,
      roles.join(','),
      disabled ? 'disabled' : 'active',
      last === null ? 'has not signed in' : `signed in ${last}`,
    ].join('  '),
  );
  return print(terminal, options, answer, [...(rows.length > 0 ? rows : ['Nobody yet.']), next]);
}

/** `operators`: the platform's own people. */
export function declareOperators({ terminal, root, add }: Declaration): void {
  const operators = add(root, 'operators', "the platform's staff: who signs in to operate it", []);
  const email = ['--email <address>', 'whom', 'required'] as const;
  const role = ['--role <role,role>', `some of ${staffRoles.join(', ')}; admin unless given`];
  const inviting = [email, role as [string, string], json];
  add(operators, 'create', 'invite a person to the staff', inviting, (options) => {
    const { email, role = 'admin' } = options as InviteOptions;
    const roles = rolesOf('--role', staffRoles, role);
    const made = operate(terminal, 'operators', 'create', { email, roles });
    return printLink(terminal, options, made, `Invited ${made.email} as ${roles.join(', ')}:`);
  });
  add(operators, 'list', 'list the staff', [json], (options) => {
    const answer = operate(terminal, 'operators', 'list', {});
    const next = 'Invite another with: npm run cli -- operators create --email ADDRESS --role ROLE';
    return printPeople(terminal, options, answer, next);
  });

  const flags = [email, json];
  const ending = 'let a person sign in no more, here and in every tenant';
  add(operators, 'disable', ending, flags, (options: InviteOptions) => {
    const { email } = options;
    const done = operate(terminal, 'operators', 'disable', { email });
    return print(terminal, options, done, [
      `Disabled ${email}: every session has ended.`,
      `Undo it with: npm run cli -- operators enable --email ${email}`,
    ]);
  });
  add(
    operators,
    'enable',
    'let a disabled person sign in again',
    flags,
    (options: InviteOptions) => {
      const { email } = options;
      const done = operate(terminal, 'operators', 'enable', { email });
      return print(terminal, options, done, [
        `Enabled ${email}: passkeys and roles are those of before.`,
        'See the staff with: npm run cli -- operators list',
      ]);
    },
  );
  const replacing = 'make a link by which a person replaces all passkeys and recovery codes';
  add(operators, 'reset', replacing, flags, (options: InviteOptions) => {
    const made = operate(terminal, 'operators', 'reset', { email: options.email });
    return printLink(
      terminal,
      options,
      made,
      `Every session of ${made.email} has ended. The link:`,
    );
  });
}

/** `members`: the people of a tenant. */
export function declareMembers({ terminal, root, add }: Declaration): void {
  const members = add(root, 'members', "a tenant's own people", []);
  const inviting = [
    ['--email <address>', 'whom', 'required'],
    ['--role <role,role>', `some of ${memberRoles.join(', ')}`, 'required'],
    needsTenant,
    json,
  ] as const;
  const about = 'invite a person to a tenant';
  add(members, 'invite', about, inviting, (options: InviteOptions & OfTenant) => {
    const { tenant, email, role } = options;
    const roles = rolesOf('--role', memberRoles, role);
    const made = operate(terminal, 'members', 'invite', { tenant, email, roles });
    return printLink(terminal, options, made, `Invited ${made.email} as ${roles.join(', ')}:`);
  });
  const listing = [needsTenant, json];
  add(members, 'list', 'list the members of a tenant', listing, (options: Options & OfTenant) => {
    const { tenant } = options;
    const answer = operate(terminal, 'members', 'list', { tenant });
    const next = `Invite another with: npm run cli -- members invite --tenant ${tenant} --email ADDRESS --role ROLE`;
    return printPeople(terminal, options, answer, next);
  });
}
