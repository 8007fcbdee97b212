import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import { renderMessage } from '@tenant-payments/service/rails/mail/render.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { highestRole } from '../grant.ts';
import { brandOfScope } from './brand.ts';
import { type NoticeKind, wordNotice } from './texts.ts';

/** A change of how a person gets in, or of what the person may do (rules/people#13). */
export interface Notice {
  readonly kind: Exclude<NoticeKind, 'manager_added'>;
  readonly personId: string;
  readonly scope: string;
  /** The roles of a key or a member, as they are now. */
  readonly roles?: readonly Role[];
  /** The roles that the person did not have before. */
  readonly gained?: readonly Role[];
  /** The address where a session appeared. */
  readonly address?: string;
}

export interface Notices {
  /** Call it after the commit: it returns at once and never fails. */
  tell(notice: Notice): void;
}

/** Roles of which those who manage the scope are told. */
const told: readonly Role[] = ['admin', 'reviewer', 'owner'];

interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

const newId = idMaker();

/** Opens the notices: they tell the person, and of a new manager or approver those who manage the scope. */
export function openNotices(
  { control, clocks, config, log }: Pick<Service, 'control' | 'clocks' | 'config' | 'log'>,
  messages: Pick<Messages, 'send'>,
): Notices {
  /** The person, and whoever manages the scope. */
  async function peopleOf({ personId, scope }: Notice): Promise<Recipient[]> {
    const { rows } = await control.query<Recipient>(
      `select p.id, p.email, p.name from control.people p
       where p.id = $1 or (p.disabled_at is null and exists (select from control.roles r
         where r.person_id = p.id and r.scope = $2 and r.role = $3))`,
      [personId, scope, highestRole(scope)],
    );
    return rows;
  }

  async function send(notice: Notice): Promise<void> {
    const { kind, personId, scope, roles = [], gained = [], address = '' } = notice;
    const nowMs = clocks.realNow();
    const people = await peopleOf(notice);
    const person = people.find(({ id }) => id === personId);
    if (!person) return;
    const brand = await brandOfScope(control, scope);
    const isTold = gained.some((role) => told.includes(role));
    const facts = {
      when: instantOf(nowMs),
      site: new URL(consoleSite(config)).host,
      scope: brand.name,
      roles: roles.join(', '),
      person: `${person.name} (${person.email})`,
      address,
    };
    const send = ({ email }: Recipient, template: NoticeKind) => {
      const id = newId(nowMs);
      const how = { locale: null, brand, audience: 'staff' } as const;
      const rendered = renderMessage(wordNotice(template, facts), how);
      const of = { id, tenantId: scope, template, to: { email }, expiresAt: null };
      return messages.send({ ...of, ...how, data: facts, rendered });
    };
    const others = isTold ? people.filter(({ id }) => id !== personId) : [];
    const sent = await Promise.allSettled([
      send(person, kind),
      ...others.map((other) => send(other, 'manager_added')),
    ]);
    for (const one of sent) if (one.status === 'rejected') warn(notice, one.reason);
  }

  function warn({ kind, personId }: Notice, error: unknown): void {
    const facts = { person_id: personId, notice: kind, fault: faultFacts(error) };
    log.warn(facts, 'a notice to a person could not be sent');
  }

  return {
    tell(notice) {
      send(notice).catch((error: unknown) => warn(notice, error));
    },
  };
}
