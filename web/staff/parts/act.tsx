import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ItemOf } from '../api/queries.ts';
import { Facts } from './facts.tsx';
import { JsonView } from './json_view.tsx';
import { Mark } from './state_badge.tsx';
import { inWords } from './tell.ts';
import { When } from './when.tsx';

export type Act = ItemOf<'GET /portal/api/audit'>;
/** Who acted, in words. */
export type NameActor = (act: Act) => string;

/** With the number of acts that the row stands for, where it is more than one. */
export const Outcome = ({ act: { outcome, count } }: { readonly act: Act }) => (
  <Mark
    tone={outcome === 'done' ? 'good' : 'warning'}
    text={count === 1 ? inWords(outcome) : `${inWords(outcome)} × ${count}`}
  />
);

/** These people by the address; whoever else by the kind and id. */
export function nameActors(
  people: readonly { readonly id: string; readonly email: string }[],
): NameActor {
  const known = new Map(people.map(({ id, email }) => [id, email]));
  return ({ actor: { kind, id, person_id } }) => {
    const email = known.get(person_id ?? id);
    if (email === undefined) return `${inWords(kind)} ${id}`;
    return kind === 'person' ? email : `${inWords(kind)} of ${email}`;
  };
}

interface ActFactsProps {
  readonly act: Act;
  readonly by: string;
  readonly record: ReactNode;
  /** What can be done from here. */
  readonly children?: ReactNode;
}

/** A row of the audit, whole. */
export const ActFacts = ({ act, by, record, children }: ActFactsProps) => (
  <>
    <Facts
      rows={[
        ['Outcome', <Outcome key="outcome" act={act} />],
        ['By', by],
        ['Record', record],
        ['At', <When key="at" at={act.at} isExact />],
        ['Address', act.address ?? 'Unknown'],
        ['Request', act.request_id ?? 'Unknown'],
        ['Hash', <Code key="hash">{act.hash}</Code>],
      ]}
    />
    {children}
    {act.before && <JsonView title="Before" value={act.before} />}
    {act.after && <JsonView title="After" value={act.after} />}
  </>
);
