import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SignedIn } from '../caller.ts';
import { personCommand } from '../person_command.ts';
import { platform } from '../scope.ts';
import { loadProven, type Proven, takeProven } from '../sign_in/passkeys.ts';
import { endSessions, isOpen, rotateSession } from './open.ts';
import { sessions } from './table.ts';

/** The commands on the session that calls: where it acts, how it steps up, how it ends. */

const ended = () => fail('authentication_required', { message: 'the session has ended' });

interface ActingIn {
  readonly session: SignedIn;
  readonly scope: string;
}

/** POST /portal/api/session/act. The roles themselves are asked for by each request. */
export const actElsewhere = ({ control }: Pick<Service, 'control'>) =>
  personCommand('act_in', {
    /** @throws ApiError parameter_invalid: the person holds no role there, or its cell is not served here */
    prepare: async ({ session: { personId }, scope }: ActingIn) => {
      const { rowCount } = await control.query(
        `select from control.roles where person_id = $1 and scope = $2
           and ($2 = $3 or exists (select from control.served_tenants() where tenant_id::text = $2)) limit 1`,
        [personId, scope, platform],
      );
      if (rowCount === 0)
        throw fail('parameter_invalid', { param: 'scope', details: { reason: 'no_role' } });
      return null;
    },
    load: (read, { session: { id } }) => read.one(sessions, id),
    decide: (work, row, { scope }) => {
      if (!isOpen(work, row)) throw ended();
      work.change<typeof sessions>(row, { scope });
      work.audit({ record: row.id, scope });
      return { result: null, event: 'acting_elsewhere', facts: { scope } };
    },
  });

/** DELETE /portal/api/session. A visitor's stands in both chains. */
export const endCurrent = personCommand('sign_out', {
  load: (read, { id }: SignedIn) => read.one(sessions, id),
  decide: (work, row, { id, visit }) => {
    const count = endSessions(work, [row], 'signed_out');
    work.audit({ record: id, ...(visit !== 'none' && { alsoIn: platform }) });
    return { result: count, event: 'signed_out' };
  },
});

interface SteppingUp {
  readonly session: SignedIn;
  readonly proven: Proven;
}

/** POST /portal/api/step-up/finish. @returns the session's new token */
export const stepUpByPasskey = (service: Pick<Service, 'vault' | 'clocks'>) =>
  personCommand('step_up', {
    load: async (read, { session: { id }, proven }: SteppingUp) => {
      const [row, taken] = await Promise.all([
        read.one(sessions, id),
        loadProven(read, service, `step_up ${id}`, proven),
      ]);
      return { row, taken };
    },
    decide: (work, { row, taken }, { proven }) => {
      takeProven(work, taken, proven);
      const token = rotateSession(work, service, row);
      work.audit({ record: row.id });
      return { result: token, event: 'stepped_up' };
    },
  });
