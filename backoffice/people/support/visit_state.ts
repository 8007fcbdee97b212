import { visitorRoles } from '../../contract/people/support.ts';
import { platform } from '../scope.ts';

/** `over`: the session does nothing any more but leave (rules/people#9). */
export type VisitState = 'none' | 'on' | 'over';

/** SQL of a session `s`: its visit `v`, and the consent `c` by which it came in. */
export const visitJoin = `left join control.support_visits v on v.id = s.visit_id
  left join control.support_consents c on c.id = v.consent_id`;

/** Asked at each request: whoever is no longer of the staff is out too. */
const isOn = (now: string): string => `(v.left_at is null and v.until > ${now}
  and c.ended_at is null and exists (select from control.roles h
    where h.scope = '${platform}' and h.person_id = s.person_id))`;

/** @param now the placeholder of the present instant */
export const visitSql = (now: string): string =>
  `case when s.visit_id is null then 'none' when ${isOn(now)} then 'on' else 'over' end`;

/** The roles where a session acts: those held there, or a visitor's. */
export const rolesSql = (now: string): string => `case
  when s.visit_id is null then array(select r.role from control.roles r
    where r.scope = s.scope and r.person_id = s.person_id order by r.role)
  when ${isOn(now)} then array['${visitorRoles.join("', '")}'] else array[]::text[] end`;
